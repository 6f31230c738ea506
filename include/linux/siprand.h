/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast unpredictable random numbers: one SipHash generator per CPU
 *
 * Include this where a draw or a noise hook is to be inlined; everybody else
 * finds prandom_u32() and its companions in <linux/prandom.h>.  Keying and
 * reseeding are in lib/siprand.c, the API is described in
 * Documentation/core-api/prandom.rst.
 *
 * The round is SipRound on 64-bit and HalfSipRound on 32-bit kernels, both by
 * Jean-Philippe Aumasson and Daniel J. Bernstein ("SipHash: a fast short-input
 * PRF", INDOCRYPT 2012, and the HalfSipHash of their reference code).  Its use
 * as a per-CPU generator stirred by single noise words follows the 2020
 * drafts of George Spelvin and Willy Tarreau.
 *
 * The file also compiles outside the kernel, without the per-CPU part, for
 * tests and measurements.
 */
#ifndef _LINUX_SIPRAND_H
#define _LINUX_SIPRAND_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/siphash.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <asm/processor.h>
#else
#include <assert.h>
#include <stdint.h>
#define u32 uint32_t
#define BITS_PER_LONG (8 * __SIZEOF_LONG__)
#ifndef __always_inline
#define __always_inline inline
#endif
#define __aligned(n) __attribute__((__aligned__(n)))
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#endif

/* One cache line, whatever the architecture calls a cache line. */
#define SIPRAND_STATE_SIZE 64

/**
 * enum siprand_instance - the independent generators of a CPU
 * @SIPRAND_KERNEL: draws that stay in the kernel: ports, offsets, hashes
 * @SIPRAND_PROGRAM: draws handed to programs (BPF), which must not become an
 *	oracle on the kernel's own
 * @SIPRAND_INSTANCES: how many there are
 */
enum siprand_instance {
	SIPRAND_KERNEL,
	SIPRAND_PROGRAM,
	SIPRAND_INSTANCES
};

/**
 * struct siprand_state - the generator of one CPU and one instance
 * @v: SipHash state
 * @noise: word that prandom_u32_add_noise() stirs
 * @generation: the value of siprand_generation that @v was keyed from
 *
 * Only its own CPU ever writes it.
 */
struct siprand_state {
	unsigned long v[4];
	unsigned long noise;
	unsigned long generation;
} __aligned(SIPRAND_STATE_SIZE);

static_assert(sizeof(struct siprand_state) == SIPRAND_STATE_SIZE, "one line");
static_assert(__alignof__(struct siprand_state) == SIPRAND_STATE_SIZE, "aligned");

/**
 * struct siprand_words - what a draw holds in registers
 * @v0: SipHash state, first word
 * @v1: second word
 * @v2: third word
 * @v3: fourth word
 * @generation: what @v0 to @v3 are keyed from, at most
 */
struct siprand_words {
	unsigned long v0, v1, v2, v3;
	unsigned long generation;
};

/* The rounds differ in nothing but the rotation counts. */
enum {
#if BITS_PER_LONG == 64
	SIPRAND_ROT_V1_FIRST = 13,
	SIPRAND_ROT_V3_FIRST = 16,
	SIPRAND_ROT_V3_SECOND = 21,
	SIPRAND_ROT_V1_SECOND = 17,
	SIPRAND_ROT_HALF = 32,
#else
	SIPRAND_ROT_V1_FIRST = 5,
	SIPRAND_ROT_V3_FIRST = 8,
	SIPRAND_ROT_V3_SECOND = 7,
	SIPRAND_ROT_V1_SECOND = 13,
	SIPRAND_ROT_HALF = 16,
#endif
};

static __always_inline unsigned long siprand_rol(unsigned long x, unsigned int by)
{
	return x << by | x >> (BITS_PER_LONG - by);
}

/**
 * siprand_round - SipRound (64-bit) or HalfSipRound (32-bit)
 * @v0: first word of the state
 * @v1: second word
 * @v2: third word
 * @v3: fourth word
 *
 * <linux/siphash.h> has the same two permutations, fixed to u64 and u32.  This
 * one works on unsigned long, so that one text serves, and is tested on, both
 * widths, inside and outside the kernel.
 *
 * Context: any.
 */
static __always_inline void siprand_round(unsigned long *v0, unsigned long *v1,
					  unsigned long *v2, unsigned long *v3)
{
	*v0 += *v1;
	*v1 = siprand_rol(*v1, SIPRAND_ROT_V1_FIRST) ^ *v0;
	*v0 = siprand_rol(*v0, SIPRAND_ROT_HALF);
	*v2 += *v3;
	*v3 = siprand_rol(*v3, SIPRAND_ROT_V3_FIRST) ^ *v2;
	*v0 += *v3;
	*v3 = siprand_rol(*v3, SIPRAND_ROT_V3_SECOND) ^ *v0;
	*v2 += *v1;
	*v1 = siprand_rol(*v1, SIPRAND_ROT_V1_SECOND) ^ *v2;
	*v2 = siprand_rol(*v2, SIPRAND_ROT_HALF);
}

/**
 * siprand_stir - mix four words into a noise word
 * @noise: the noise word so far
 * @a: anything that varies
 * @b: likewise
 * @c: likewise
 * @d: likewise
 *
 * One round, of which only the last word is kept: the compiler drops the rest,
 * and whoever sees a later noise word cannot run the round backwards.
 *
 * Context: any.
 * Return: the new noise word.
 */
static __always_inline unsigned long siprand_stir(unsigned long noise,
						  unsigned long a, unsigned long b,
						  unsigned long c, unsigned long d)
{
	a ^= noise;
	siprand_round(&a, &b, &c, &d);
	return d;
}

/**
 * siprand_load - first part of a draw: fetch the words
 * @words: filled in
 * @state: generator to draw from
 * @generation: its generation, read before
 *
 * The generation is read before the words and stored after them: whatever an
 * interrupt between the two does to @state, stale words never carry a newer
 * generation.
 *
 * Context: any; preemption disabled from here to siprand_store().
 */
static __always_inline void siprand_load(struct siprand_words *words,
					 const struct siprand_state *state,
					 unsigned long generation)
{
	words->generation = generation;
	words->v0 = READ_ONCE(state->v[0]);
	words->v1 = READ_ONCE(state->v[1]);
	words->v2 = READ_ONCE(state->v[2]);
	words->v3 = READ_ONCE(state->v[3]);
}

/* Two words, so that a draw shows none of them. */
static __always_inline u32 siprand_sum(const struct siprand_words *words)
{
	return (u32)(words->v1 + words->v3);
}

/**
 * siprand_step - second part of a draw: two rounds
 * @words: state in registers, advanced
 * @n: noise word ^ context
 *
 * Context: any.
 * Return: 32 random bits.
 */
static __always_inline u32 siprand_step(struct siprand_words *words, unsigned long n)
{
	words->v3 ^= n;
	siprand_round(&words->v0, &words->v1, &words->v2, &words->v3);
	siprand_round(&words->v0, &words->v1, &words->v2, &words->v3);
	words->v0 ^= n;
	return siprand_sum(words);
}

/**
 * siprand_store - last part of a draw: put the words back
 * @state: where they came from
 * @words: state in registers
 *
 * Context: any; preemption disabled since siprand_load().
 */
static __always_inline void siprand_store(struct siprand_state *state,
					  const struct siprand_words *words)
{
	WRITE_ONCE(state->v[0], words->v0);
	WRITE_ONCE(state->v[1], words->v1);
	WRITE_ONCE(state->v[2], words->v2);
	WRITE_ONCE(state->v[3], words->v3);
	WRITE_ONCE(state->generation, words->generation);
}

/* Odd, and positive as a sign-extended 32-bit immediate: 2^32 / phi^2. */
#define SIPRAND_CONTEXT_FACTOR 0x61c88647UL

/**
 * siprand_spread - turn an address into a context
 * @address: where a draw's stack is
 *
 * Few bits differ between two addresses, which two rounds do not spread evenly;
 * a multiplication makes it many.  Two 32-bit addresses that are a large power
 * of two apart would still differ in the top bits only, so there the upper half
 * of the product is folded in.
 *
 * Context: any.
 * Return: a word to xor into the noise word.
 */
static __always_inline unsigned long siprand_spread(unsigned long address)
{
#if BITS_PER_LONG == 64
	return address * SIPRAND_CONTEXT_FACTOR;
#else
	unsigned long long product = (unsigned long long)address * SIPRAND_CONTEXT_FACTOR;

	return (unsigned long)(product ^ product >> 32);
#endif
}

/**
 * siprand_context - tell apart the draws that are alive on one CPU
 *
 * A draw that interrupts another starts from the same words, so each mixes in
 * where its stack is: live frames never share an address.
 *
 * Context: any.
 * Return: a word to xor into the noise word.
 */
static __always_inline unsigned long siprand_context(void)
{
#ifdef CONFIG_ARCH_HAS_CURRENT_STACK_POINTER
	return siprand_spread((unsigned long)current_stack_pointer);
#else
	return siprand_spread((unsigned long)__builtin_frame_address(0));
#endif
}

#ifdef __KERNEL__

/**
 * prandom_u32_below - draw a number below a ceiling
 * @ceil: exclusive upper bound
 *
 * Multiply and shift: no division, and a bias of less than @ceil / 2^32.
 *
 * Context: any.
 * Return: a number from 0 to @ceil - 1, or 0 if @ceil is 0.
 */
static inline u32 prandom_u32_below(u32 ceil)
{
	return ((u64)prandom_u32() * ceil) >> 32;
}

/* The states are not exported: modules call prandom_u32(). */
#ifndef MODULE

/* Not ..._ALIGNED, which is less than 64 bytes on some machines. */
DECLARE_PER_CPU(struct siprand_state, siprand_states[SIPRAND_INSTANCES]);

/*
 * Number of renewals of the global key.  A state with another generation is
 * rekeyed by the next draw.
 */
extern unsigned long siprand_generation;

u32 siprand_draw_behind(enum siprand_instance instance);

/**
 * siprand_draw - draw from one of this CPU's generators, inlined
 * @instance: which one
 *
 * Context: any, with preemption disabled: being unable to migrate is not
 *	enough, since two tasks would share a state.
 * Return: 32 random bits.
 */
static __always_inline u32 siprand_draw(enum siprand_instance instance)
{
	struct siprand_state *state = raw_cpu_ptr(&siprand_states[instance]);
	unsigned long generation = READ_ONCE(siprand_generation);
	struct siprand_words words;

	/* Plain reads of what only this CPU writes are compared and xored in place. */
	if (unlikely(data_race(state->generation) != generation))
		return siprand_draw_behind(instance);
	siprand_load(&words, state, generation);
	/* An interrupt may stir before or after, as it likes. */
	siprand_step(&words, data_race(state->noise) ^ siprand_context());
	siprand_store(state, &words);
	/* Summed up again after the stores, when a register for it is free. */
	OPTIMIZER_HIDE_VAR(words.v1);
	return siprand_sum(&words);
}

/**
 * __prandom_u32 - prandom_u32() inlined, for callers that cannot be preempted
 *
 * No preempt_count access and no tracepoint.
 *
 * Context: any, NMI and noinstr code included, with preemption disabled.
 * Return: 32 random bits.
 */
static __always_inline u32 __prandom_u32(void)
{
	return siprand_draw(SIPRAND_KERNEL);
}

/**
 * prandom_u32_add_noise - stir something that varies into this CPU's draws
 * @a: anything an outside observer cannot know: a kernel address, a timestamp
 * @b: likewise
 * @c: likewise
 * @d: likewise
 *
 * A dozen instructions, cheap enough for the transmit path of every packet.
 * It makes draws harder to follow after a leak of the state, but nothing
 * relies on it, so that an argument chosen by an attacker does no harm.
 *
 * Context: any, where the caller cannot migrate.
 */
static __always_inline void prandom_u32_add_noise(unsigned long a, unsigned long b,
						  unsigned long c, unsigned long d)
{
	unsigned long noise = raw_cpu_read(siprand_states[SIPRAND_KERNEL].noise);

	/* An interrupt in between may stir too; losing one of the two is fine. */
	raw_cpu_write(siprand_states[SIPRAND_KERNEL].noise,
		      siprand_stir(noise, a, b, c, d));
}

/* For drivers/char/random.c. */
void siprand_init(const siphash_key_t *fresh);
void siprand_pool_ready(void);
void siprand_vmfork(void);

/* For lib/siprand.c and its tests. */
extern siphash_key_t siprand_keys[2];
unsigned long siprand_rekey(struct siprand_state *state,
			    enum siprand_instance instance);
void siprand_derive(unsigned long v[4], const siphash_key_t *key,
		    enum siprand_instance instance, unsigned int cpu,
		    unsigned long generation);
void siprand_next_keys(siphash_key_t keys[2], const siphash_key_t *key,
		       const siphash_key_t *fresh, unsigned long generation,
		       unsigned long entropy);
unsigned long siprand_interval(void);

#endif /* !MODULE */
#endif /* __KERNEL__ */
#endif /* _LINUX_SIPRAND_H */
