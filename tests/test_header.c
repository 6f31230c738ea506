// SPDX-License-Identifier: GPL-2.0
/*
 * Host tests of include/linux/siprand.h, the part that needs no kernel: known
 * answers and properties, in seconds, at both widths and under sanitizers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/siprand.h>

typedef uint64_t u64;

#include "test_siprand_vectors.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum { WORD = sizeof(unsigned long) };

static unsigned long load_word(const unsigned char *from)
{
	unsigned long word = 0;
	int i;

	for (i = WORD; i-- > 0;)
		word = word << 8 | from[i];
	return word;
}

/* SipHash-2-4-64 or HalfSipHash-2-4-32, from siprand_round(). */
static unsigned long hash(const unsigned char *data, size_t len, const unsigned char *key)
{
	static const unsigned char start[4 * 8 + 1] = "uespemosmodnarodarenegylsetybdet";
	unsigned char tail[WORD] = { 0 };
	unsigned long v[4], word;
	size_t i, done;

	for (i = 0; i < 4; i++) {
#if BITS_PER_LONG == 64
		v[i] = load_word(start + 8 * i);
#else
		v[i] = i < 2 ? 0 : load_word(start + 8 * i + 4);
#endif
		v[i] ^= load_word(key + WORD * (i % 2));
	}
	memcpy(tail, data + len - len % WORD, len % WORD);
	tail[WORD - 1] = (unsigned char)len;
	for (done = 0; done <= len; done += WORD) {
		word = load_word(done + WORD <= len ? data + done : tail);
		v[3] ^= word;
		for (i = 0; i < 2; i++)
			siprand_round(&v[0], &v[1], &v[2], &v[3]);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	for (i = 0; i < 4; i++)
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
	return BITS_PER_LONG == 64 ? v[0] ^ v[1] ^ v[2] ^ v[3] : v[1] ^ v[3];
}

static void test_round_vectors(void **unused)
{
	unsigned char count[16];
	size_t i;

	(void)unused;
	for (i = 0; i < sizeof(count); i++)
		count[i] = (unsigned char)i;
	for (i = 0; i < ARRAY_SIZE(siprand_vec_hash); i++)
		assert_int_equal(hash(count, i, count), siprand_vec_hash[i]);
}

static u32 draw(struct siprand_state *state, unsigned long n)
{
	struct siprand_words words;
	u32 ret;

	siprand_load(&words, state, state->generation);
	ret = siprand_step(&words, n);
	siprand_store(state, &words);
	return ret;
}

static void test_draw_vectors(void **unused)
{
	struct siprand_state state = { .generation = 1 };
	unsigned int i;

	(void)unused;
	memcpy(state.v, siprand_vec_draw_v, sizeof(state.v));
	for (i = 0; i < ARRAY_SIZE(siprand_vec_draw_n); i++)
		assert_int_equal(draw(&state, siprand_vec_draw_n[i]), siprand_vec_draw_out[i]);
	assert_memory_equal(state.v, siprand_vec_draw_end, sizeof(state.v));
	assert_int_equal(state.generation, 1);
}

static void test_noise_vectors(void **unused)
{
	const unsigned long *in = siprand_vec_stir_in;

	(void)unused;
	assert_int_equal(siprand_stir(in[0], in[1], in[2], in[3], in[4]),
			 siprand_vec_stir_out[0]);
}

static void test_layout(void **unused)
{
	struct siprand_state states[SIPRAND_INSTANCES];

	(void)unused;
	assert_int_equal(sizeof(states[0]), 64);
	assert_int_equal((uintptr_t)&states[0] % 64, 0);
	assert_int_equal((uintptr_t)&states[1] % 64, 0);
}

/* A draw puts back the generation it found, over whatever came in between. */
static void test_store_restores_generation(void **unused)
{
	struct siprand_state state = { .v = { 1, 2, 3, 4 }, .generation = 7 };
	struct siprand_words words;

	(void)unused;
	siprand_load(&words, &state, state.generation);
	state.v[0] = 0;
	state.generation = 8;
	siprand_store(&state, &words);
	assert_int_equal(state.v[0], 1);
	assert_int_equal(state.v[3], 4);
	assert_int_equal(state.generation, 7);
}

static void test_zero_state_is_left(void **unused)
{
	struct siprand_state state = { .generation = 1 };
	static const unsigned long zero[4];

	(void)unused;
	draw(&state, siprand_context());
	assert_memory_not_equal(state.v, zero, sizeof(zero));
}

/* A fixed sequence of words: the tests below do the same on every run. */
static unsigned long next_word(void)
{
	static unsigned long v[4] = { 1, 2, 3, 4 };

	siprand_round(&v[0], &v[1], &v[2], &v[3]);
	siprand_round(&v[0], &v[1], &v[2], &v[3]);
	v[0]++;
	return v[1] + v[3];
}

static void test_noise_bits(void **unused)
{
	unsigned long args[5], plain;
	unsigned int sample, arg, bit, i;

	(void)unused;
	for (sample = 0; sample < 256; sample++) {
		for (i = 0; i < 5; i++)
			args[i] = next_word();
		plain = siprand_stir(args[0], args[1], args[2], args[3], args[4]);
		for (arg = 0; arg < 5; arg++) {
			for (bit = 0; bit < BITS_PER_LONG; bit++) {
				args[arg] ^= 1UL << bit;
				assert_int_not_equal(siprand_stir(args[0], args[1], args[2],
								  args[3], args[4]), plain);
				args[arg] ^= 1UL << bit;
			}
		}
	}
}

enum { PAIRS = 20000 };

/*
 * Number of output bits that differ between two draws from the same words in
 * more or less than half of the cases, by over 1/32 of them and 8 standard
 * deviations.
 */
static unsigned int correlated_bits(unsigned long outer, unsigned long inner)
{
	unsigned int flips[32] = { 0 }, i, bit, bad = 0;

	for (i = 0; i < PAIRS; i++) {
		struct siprand_words a = {
			next_word(), next_word(), next_word(), next_word(), 0
		};
		struct siprand_words b = a;
		unsigned long noise = next_word();
		u32 differ = siprand_step(&a, noise ^ outer) ^ siprand_step(&b, noise ^ inner);

		for (bit = 0; bit < 32; bit++)
			flips[bit] += differ >> bit & 1;
	}
	for (bit = 0; bit < 32; bit++) {
		long off = labs((long)flips[bit] - PAIRS / 2) - PAIRS / 32;

		bad += off > 0 && (long long)off * off > 16LL * PAIRS;
	}
	return bad;
}

/* Frames of one stack, and of two: distances from 16 bytes to 2 (or 16) GiB. */
static void test_context_separates_draws(void **unused)
{
	unsigned long top = (unsigned long)0xffffc90000123f58ULL;
	unsigned int most = BITS_PER_LONG == 64 ? 34 : 31, log;

	(void)unused;
	for (log = 4; log <= most; log++)
		assert_int_equal(correlated_bits(siprand_spread(top),
						 siprand_spread(top - (1UL << log))), 0);
	/* What the test sees with equal contexts, and with raw addresses. */
	assert_int_equal(correlated_bits(siprand_spread(top), siprand_spread(top)), 32);
	assert_int_not_equal(correlated_bits(top, top - 16), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_vectors),
		cmocka_unit_test(test_draw_vectors),
		cmocka_unit_test(test_noise_vectors),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_store_restores_generation),
		cmocka_unit_test(test_zero_state_is_left),
		cmocka_unit_test(test_noise_bits),
		cmocka_unit_test(test_context_separates_draws),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)ARRAY_SIZE(tests) - failed, failed);
	return failed != 0;
}
