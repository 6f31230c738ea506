/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests of randomness that see what is linear over GF(2), with p-values
 *
 * After TestU01's LinearComp and MatrixRank (L'Ecuyer and Simard, "TestU01: a C
 * library for empirical testing of random number generators", 2007).
 */
#ifndef STATISTICS_H
#define STATISTICS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BITS_MOST = 1 << 16, SIZE_MOST = 1024 };

/* Rank of @size rows of as many bits over GF(2); the rows are lost. */
static inline unsigned int matrix_rank(uint64_t (*row)[SIZE_MOST / 64], unsigned int size)
{
	unsigned int words = (size + 63) / 64, rank = 0, column, i, j;

	for (column = 0; column < size; column++) {
		const unsigned int word = column / 64, bit = column % 64;
		uint64_t pivot[SIZE_MOST / 64];

		for (i = rank; i < size && !(row[i][word] >> bit & 1); i++)
			;
		if (i == size)
			continue;
		memcpy(pivot, row[i], sizeof(pivot));
		memcpy(row[i], row[rank], sizeof(pivot));
		memcpy(row[rank++], pivot, sizeof(pivot));
		for (i++; i < size; i++)
			if (row[i][word] >> bit & 1)
				for (j = word; j < words; j++)
					row[i][j] ^= pivot[j];
	}
	return rank;
}

/*
 * The length of the shortest linear feedback shift register that puts out the
 * bits @s, and, if wanted, those of all their beginnings (Massey, "Shift-register
 * synthesis and BCH decoding", 1969).
 */
static inline unsigned int linear_complexity(const uint8_t *s, unsigned int count,
					     unsigned int *profile)
{
	enum { WORDS = BITS_MOST / 64 + 1 };
	/* Feedback now and before the last change of length; newest bits first. */
	static uint64_t now[WORDS], before[WORDS], kept[WORDS], past[WORDS];
	const unsigned int words = count / 64 + 1;
	unsigned int length = 0, age = 1, i, j;

	memset(now, 0, sizeof(now));
	memset(before, 0, sizeof(before));
	memset(past, 0, sizeof(past));
	now[0] = 1;
	before[0] = 1;
	for (i = 0; i < count; i++, age++) {
		uint64_t wrong = 0;

		for (j = words; j-- > 1;)
			past[j] = past[j] << 1 | past[j - 1] >> 63;
		past[0] = past[0] << 1 | s[i];
		for (j = 0; j <= length / 64; j++)
			wrong ^= now[j] & past[j];
		if (__builtin_parityll(wrong)) {
			memcpy(kept, now, words * sizeof(*now));
			for (j = age / 64; j < words; j++) {
				now[j] ^= before[j - age / 64] << age % 64;
				if (age % 64 && j > age / 64)
					now[j] ^= before[j - age / 64 - 1] >> (64 - age % 64);
			}
			if (2 * length <= i) {
				length = i + 1 - length;
				memcpy(before, kept, words * sizeof(*now));
				age = 0;
			}
		}
		if (profile)
			profile[i] = length;
	}
	return length;
}

/* The chance that chi-square with 2 or 4 degrees of freedom is above @x. */
static inline double chi_square(double x, unsigned int freedom)
{
	return exp(-x / 2) * (freedom == 4 ? 1 + x / 2 : 1);
}

static inline double chi_square_of(const unsigned int *seen, const double *chance,
				   unsigned int classes, unsigned int count)
{
	double x = 0;
	unsigned int i;

	for (i = 0; i < classes; i++) {
		double expected = chance[i] * count;

		x += (seen[i] - expected) * (seen[i] - expected) / expected;
	}
	return chi_square(x, classes - 1);
}

/*
 * Ranks of square matrices fall short of their size by none, one, more; the
 * chances are products of (1 - 2^-i), and those of any size from 32 to 10 digits.
 */
enum { RANK_CLASSES = 3 };

static const double rank_chance[RANK_CLASSES] = { 0.2887880951, 0.5775761902, 0.1336357147 };

static inline unsigned int rank_class(unsigned int size, unsigned int rank)
{
	return size - rank < 2 ? size - rank : 2;
}

/*
 * The linear complexity of an even number n of random bits is l in
 * 2^min(2n - 2l, 2l - 1) of the 2^n cases (Rueppel, "Analysis and Design of
 * Stream Ciphers", 1986): n/2, n/2 + 1, n/2 - 1, n/2 + 2, other.
 */
enum { COMPLEXITY_CLASSES = 5 };

static const double complexity_chance[COMPLEXITY_CLASSES] = {
	1 / 2.0, 1 / 4.0, 1 / 8.0, 1 / 16.0, 1 / 16.0
};

static inline unsigned int complexity_class(unsigned int n, unsigned int l)
{
	switch ((int)l - (int)n / 2) {
	case 0: return 0;
	case 1: return 1;
	case -1: return 2;
	case 2: return 3;
	default: return 4;
	}
}

/* The chance of a complexity of @n bits that is as rare as @l, or rarer. */
static inline double complexity_p(unsigned int n, unsigned int l)
{
	double cases = fmin(2.0 * n - 2.0 * l, 2.0 * l - 1);

	return fmin(1, exp2(cases + 1 - n));
}

#endif
