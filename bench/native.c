// SPDX-License-Identifier: GPL-2.0
/*
 * What a draw takes in time, on this machine
 *
 * Compiles the series' own header next to the generators before it.  Each is
 * timed back to back, in a chain of work that needs its result, beside a chain
 * that does not, and in a crowd of work that keeps the machine busy by itself.
 * All take turns in each of many rounds, so that a machine that
 * slows down slows down all; what counts is the ratio within a round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As in the kernel, where the context is the stack pointer. */
#ifdef __x86_64__
#define CONFIG_ARCH_HAS_CURRENT_STACK_POINTER
register unsigned long current_stack_pointer __asm__("rsp");
#endif

#include <linux/siprand.h>

#define unlikely(x) __builtin_expect(!!(x), 0)
#define hide(x) ({ __asm__ volatile("" : "+r" (x)); })

/*********************************************************************
 *
 * Generators.
 *
 *********************************************************************/

static struct siprand_state state = { .v = { 1, 2, 3, 4 }, .generation = 1 };
static unsigned long generation = 1;

static __attribute__((__noinline__)) uint32_t behind(struct siprand_state *s)
{
	s->generation = generation;
	return 0;
}

/* siprand_draw(), which needs a kernel, of any state. */
static __always_inline uint32_t draw_from(struct siprand_state *s, unsigned long noise)
{
	unsigned long now = READ_ONCE(generation);
	struct siprand_words words;

	if (unlikely(s->generation != now))
		return behind(s);
	siprand_load(&words, s, now);
	siprand_step(&words, noise ^ siprand_context());
	siprand_store(s, &words);
	hide(words.v1);
	return siprand_sum(&words);
}

static __always_inline uint32_t siprand_inline(void)
{
	return draw_from(&state, state.noise);
}

static __attribute__((__noinline__)) uint32_t siprand(void)
{
	return siprand_inline();
}

/* LFSR113 by L'Ecuyer, as it was behind prandom_u32(). */
static struct {
	uint32_t s1, s2, s3, s4;
} lfsr = { 2, 8, 16, 128 };

static __always_inline uint32_t lfsr_part(uint32_t *s, int a, int b, uint32_t c, int d)
{
	const uint32_t old = READ_ONCE(*s), new = (old & c) << d ^ ((old << a) ^ old) >> b;

	WRITE_ONCE(*s, new);
	return new;
}

static __always_inline uint32_t tausworthe_inline(void)
{
	return lfsr_part(&lfsr.s1, 6, 13, -2U, 18) ^ lfsr_part(&lfsr.s2, 2, 27, -8U, 2) ^
		lfsr_part(&lfsr.s3, 13, 21, -16U, 7) ^ lfsr_part(&lfsr.s4, 3, 12, -128U, 13);
}

static __attribute__((__noinline__)) uint32_t tausworthe(void)
{
	return tausworthe_inline();
}

/* The form of 2020: no generation, no context, the noise word elsewhere. */
static unsigned long words_2020[4] = { 1, 2, 3, 4 };
static unsigned long noise_2020;

static __attribute__((__noinline__)) uint32_t upstream2020(void)
{
	const unsigned long n = READ_ONCE(noise_2020);
	unsigned long v0 = READ_ONCE(words_2020[0]), v1 = READ_ONCE(words_2020[1]);
	unsigned long v2 = READ_ONCE(words_2020[2]), v3 = READ_ONCE(words_2020[3]) ^ n;

	siprand_round(&v0, &v1, &v2, &v3);
	siprand_round(&v0, &v1, &v2, &v3);
	WRITE_ONCE(words_2020[0], v0 ^ n);
	WRITE_ONCE(words_2020[1], v1);
	WRITE_ONCE(words_2020[2], v2);
	WRITE_ONCE(words_2020[3], v3);
	return v1 + v3;
}

/*********************************************************************
 *
 * Loops.
 *
 * In the first a draw waits for the draw before only; in the second its result
 * goes into a chain of multiplications, in the third there is such a chain beside
 * it, and in the fourth there are four chains of plain operations.
 *
 *********************************************************************/

enum { DRAWS = 20000, WORK = 6 };

/*
 * What no draw can be faster than: the rounds alone, in registers.  llvm-mca
 * looks at the instructions between the comments.
 */
static unsigned long bound(void)
{
	struct siprand_words words = { .v0 = 1 };
	unsigned long i;

	for (i = 0; i < DRAWS; i++) {
		__asm__ volatile("# LLVM-MCA-BEGIN rounds");
		siprand_step(&words, 1);
		hide(words.v0);
		hide(words.v1);
		hide(words.v2);
		hide(words.v3);
		__asm__ volatile("# LLVM-MCA-END");
	}
	return siprand_sum(&words);
}

static __always_inline unsigned long work(unsigned long x)
{
	int i;

	for (i = 0; i < WORK; i++) {
		x *= 0x9e3779b97f4a7c15UL;
		hide(x);
	}
	return x;
}

/* Rotations and additions, of which a machine does several in a cycle. */
#define LANE(x) ({ (x) = siprand_rol(x, 7) + 1; hide(x); })

#define LOOPS(name)							\
static unsigned long back_to_back_##name(void)				\
{									\
	unsigned long i, x = 0;						\
									\
	for (i = 0; i < DRAWS; i++) {					\
		x = name();						\
		hide(x);						\
	}								\
	return x;							\
}									\
									\
static unsigned long chain_##name(void)					\
{									\
	unsigned long i, x = 1;						\
									\
	for (i = 0; i < DRAWS; i++)					\
		x = work(x ^ name());					\
	return x;							\
}									\
									\
static unsigned long beside_##name(void)				\
{									\
	unsigned long i, x = 1, sum = 0;				\
									\
	for (i = 0; i < DRAWS; i++) {					\
		x = work(x);						\
		sum += name();						\
	}								\
	return x ^ sum;							\
}									\
									\
static unsigned long crowded_##name(void)				\
{									\
	unsigned long i, j, a = 1, b = 2, c = 3, d = 4, sum = 0;	\
									\
	for (i = 0; i < DRAWS; i++) {					\
		for (j = 0; j < WORK; j++) {				\
			LANE(a);					\
			LANE(b);					\
			LANE(c);					\
			LANE(d);					\
		}							\
		sum += name();						\
	}								\
	return a ^ b ^ c ^ d ^ sum;					\
}

LOOPS(tausworthe)
LOOPS(tausworthe_inline)
LOOPS(upstream2020)
LOOPS(siprand)
LOOPS(siprand_inline)

enum { ROUNDS = 101, KINDS = 4 };

static const char *const kinds[KINDS] = { "back_to_back", "chain", "beside", "crowded" };

static const struct generator {
	const char *name;
	unsigned long (*loops[KINDS])(void);
} generators[] = {
#define GENERATOR(name) \
	{ #name, { back_to_back_##name, chain_##name, beside_##name, crowded_##name } }
	GENERATOR(tausworthe),
	GENERATOR(tausworthe_inline),
	GENERATOR(upstream2020),
	GENERATOR(siprand),
	GENERATOR(siprand_inline),
	{ "rounds", { bound } },
};

enum { GENERATORS = sizeof(generators) / sizeof(*generators) };

static volatile unsigned long sink;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What a @part of all @values is below. */
static double quantile(const double values[ROUNDS], double part)
{
	double sorted[ROUNDS];

	memcpy(sorted, values, sizeof(sorted));
	qsort(sorted, ROUNDS, sizeof(*sorted), compare);
	return sorted[(int)(part * ROUNDS)];
}

static void report(const char *kind, const char *name, const double ns[ROUNDS],
		   const double other[ROUNDS])
{
	double ratio[ROUNDS];
	int round;

	for (round = 0; round < ROUNDS; round++)
		ratio[round] = ns[round] / other[round];
	printf("%s,%s,%.2f,%.2f,", kind, name, quantile(ns, 0.1), quantile(ns, 0.5));
	printf("%.3f,%.3f,%.3f\n", quantile(ns, 0.1) / quantile(other, 0.1),
	       quantile(ratio, 0.25), quantile(ratio, 0.75));
}

static void draws(void)
{
	static double ns[GENERATORS][KINDS][ROUNDS];
	int round, i, kind;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < GENERATORS; i++) {
			for (kind = 0; kind < KINDS && generators[i].loops[kind]; kind++) {
				const double start = seconds();

				sink = generators[i].loops[kind]();
				ns[i][kind][round] = (seconds() - start) * 1e9 / DRAWS;
			}
		}
	}
	for (i = 0; i < GENERATORS; i++)
		for (kind = 0; kind < KINDS && generators[i].loops[kind]; kind++)
			report(kinds[kind], generators[i].name, ns[i][kind], ns[0][kind]);
}

/*********************************************************************
 *
 * Cache pressure: each draw and its noise find their state in a level of the
 * cache that depends on how many states there are, and which one is next
 * depends on the draw.
 *
 *********************************************************************/

enum { LARGEST = 1 << 18 };

static struct pair {
	struct siprand_state s;
	unsigned long elsewhere[SIPRAND_STATE_SIZE / sizeof(long)];
} *pairs;

static __always_inline void hop(unsigned int mask, int two_lines)
{
	unsigned long i;
	uint32_t next = 0;

	for (i = 0; i < DRAWS; i++) {
		struct pair *pair = &pairs[next & mask];
		unsigned long *noise = two_lines ? pair->elsewhere : &pair->s.noise;

		*noise = siprand_stir(*noise, i, next, 0, 0);
		next = draw_from(&pair->s, *noise);
	}
	sink = next;
}

static __attribute__((__noinline__)) double hops(unsigned int mask, int two_lines)
{
	const double start = seconds();

	if (two_lines)
		hop(mask, 1);
	else
		hop(mask, 0);
	return (seconds() - start) * 1e9 / DRAWS;
}

static void cache_pressure(void)
{
	static double ns[2][ROUNDS];
	unsigned int states;
	int i, round;

	pairs = aligned_alloc(sizeof(*pairs), LARGEST * sizeof(*pairs));
	if (!pairs)
		exit(1);
	for (i = 0; i < LARGEST; i++)
		pairs[i] = (struct pair){ .s = { .v = { i, 2, 3, 4 }, .generation = 1 } };
	for (states = 1; states <= LARGEST; states <<= 3) {
		char kind[32];

		for (round = 0; round < ROUNDS; round++) {
			ns[0][round] = hops(states - 1, 0);
			ns[1][round] = hops(states - 1, 1);
		}
		snprintf(kind, sizeof(kind), "states_%u", states);
		report(kind, "one_line", ns[0], ns[0]);
		report(kind, "two_lines", ns[1], ns[0]);
	}
}

/* A chain of additions takes one cycle each. */
static double ns_per_cycle(void)
{
	enum { CYCLES = 1 << 22 };
	double start, best = 1;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		unsigned long i, x = 0;

		start = seconds();
		for (i = 0; i < CYCLES / 8; i++)
			__asm__ volatile("add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0\n"
					 "add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0"
					 : "+r" (x));
		start = (seconds() - start) * 1e9 / CYCLES;
		if (start < best)
			best = start;
	}
	return best;
}

int main(void)
{
	draws();
	cache_pressure();
	printf("cycle,addition,%.3f,,,,\n", ns_per_cycle());
	return 0;
}
