// SPDX-License-Identifier: GPL-2.0
/* The statistics and the entropy estimators, on sources whose answers are known */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../attack/entropy.h"
#include "../attack/statistics.h"

enum { BITS = 1 << 16 };

static uint8_t bits[BITS];

/* One with probability @chance of 256, by SplitMix64 (Steele, Lea and Flood). */
static void fill(unsigned int chance)
{
	uint64_t x = 1;
	int i;

	for (i = 0; i < BITS; i++) {
		uint64_t z = x += 0x9e3779b97f4a7c15;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		bits[i] = ((z ^ z >> 31) & 255) < chance;
	}
}

static void near(double is, double expected, double within)
{
	if (!(fabs(is - expected) <= within))
		fail_msg("%g is not %g", is, expected);
}

static void test_entropy(void **state)
{
	const double biased = -log2(230 / 256.0);

	(void)state;
	fill(256);
	near(entropy_mcv(entropy_most(bits, BITS), BITS), 0, 0);
	near(entropy_collision(bits, BITS), 0, 0);
	near(entropy_markov(bits, BITS), 0, 0);

	fill(128);
	near(entropy_mcv(entropy_most(bits, BITS), BITS), 1, 0.03);
	near(entropy_collision(bits, BITS), 1, 0.2);
	near(entropy_markov(bits, BITS), 1, 0.03);

	fill(230);
	near(entropy_mcv(entropy_most(bits, BITS), BITS), biased, 0.01);
	near(entropy_collision(bits, BITS), biased, 0.02);
	near(entropy_markov(bits, BITS), biased, 0.01);
}

/* Bits that alternate are fair one by one, and only Markov's estimate sees more. */
static void test_alternating(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < BITS; i++)
		bits[i] = i & 1;
	near(entropy_mcv(entropy_most(bits, BITS), BITS), 1, 0.03);
	near(entropy_markov(bits, BITS), 0, 0.01);
}

static void test_complexity(void **state)
{
	/* The example of NIST SP 800-22, 2.10. */
	static const uint8_t example[] = { 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1 };
	unsigned int lfsr = 1, l;
	int i;

	(void)state;
	assert_int_equal(linear_complexity(example, sizeof(example), NULL), 4);

	for (i = 0; i < BITS; i++) {
		bits[i] = lfsr & 1;
		lfsr = lfsr >> 1 ^ (lfsr & 1 ? 0xb400 : 0);
	}
	l = linear_complexity(bits, BITS, NULL);
	assert_int_equal(l, 16);
	assert_true(complexity_p(BITS, l) < 1e-6);

	fill(128);
	l = linear_complexity(bits, 4096, NULL);
	assert_true(complexity_p(4096, l) > 1e-6);
}

static void test_rank(void **state)
{
	static uint64_t row[SIZE_MOST][SIZE_MOST / 64];
	int i;

	(void)state;
	for (i = 0; i < 128; i++)
		row[i][i / 64] = 1ULL << i % 64;
	row[7][0] = row[8][0] ^ row[9][0];
	assert_int_equal(matrix_rank(row, 128), 127);
	assert_int_equal(rank_class(128, 128), 0);
	assert_int_equal(rank_class(128, 127), 1);
	assert_int_equal(rank_class(128, 113), 2);
}

/* From the tables: 5 % at 5.991 and 9.488. */
static void test_chi_square(void **state)
{
	(void)state;
	near(chi_square(5.991, 2), 0.05, 1e-4);
	near(chi_square(9.488, 4), 0.05, 1e-4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entropy),
		cmocka_unit_test(test_alternating),
		cmocka_unit_test(test_complexity),
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_chi_square),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
