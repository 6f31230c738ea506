/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Estimates of min-entropy, from samples of at most eight bits
 *
 * The estimators are those of NIST SP 800-90B (2018), whose sections are named:
 * most common value, collision, Markov and lag prediction.  Each is in bits per
 * sample; the truth is at most the least of them.
 */
#ifndef ENTROPY_H
#define ENTROPY_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ENTROPY_SYMBOLS = 256 };

/* An upper bound of the probability that was seen as @p, with 99 % confidence. */
static inline double entropy_upper(double p, size_t count)
{
	return fmin(1, p + 2.576 * sqrt(p * (1 - p) / (count - 1)));
}

/* 6.3.1, given how often the most common value came. */
static inline double entropy_mcv(size_t most, size_t count)
{
	return -log2(entropy_upper((double)most / count, count));
}

static inline size_t entropy_most(const uint8_t *s, size_t count)
{
	size_t seen[ENTROPY_SYMBOLS] = { 0 }, most = 0, i;

	for (i = 0; i < count; i++)
		if (++seen[s[i]] > most)
			most = seen[s[i]];
	return most;
}

/*
 * 6.3.2, of bits: a value repeats after two or three of them, on average after
 * 2 + 2p(1 - p), where p is the probability of the more common one.
 */
static inline double entropy_collision(const uint8_t *bits, size_t count)
{
	double times = 0, sum = 0, squares = 0, mean, low;
	size_t i, time;

	for (i = 0; i + 1 < count; i += time) {
		time = bits[i] == bits[i + 1] ? 2 : 3;
		if (i + time > count)
			break;
		times++;
		sum += time;
		squares += time * time;
	}
	mean = sum / times;
	low = mean - 2.576 * sqrt(fmax(0, squares - times * mean * mean) / (times - 1) / times);
	/* A mean that no two-sided coin has. */
	if (low >= 2.5)
		return 1;
	return -log2(fmin(1, 0.5 + sqrt(1.25 - low / 2)));
}

/* 6.3.3, of bits: the likeliest sequence of 128. */
static inline double entropy_markov(const uint8_t *bits, size_t count)
{
	double first[2], next[2][2], sequence[6], best = -INFINITY;
	size_t ones = 0, seen[2][2] = { { 0 } }, i;

	for (i = 0; i < count; i++)
		ones += bits[i];
	for (i = 0; i + 1 < count; i++)
		seen[bits[i]][bits[i + 1]]++;
	for (i = 0; i < 2; i++) {
		first[i] = log2((double)(i ? ones : count - ones) / count);
		next[i][0] = log2((double)seen[i][0] / (seen[i][0] + seen[i][1]));
		next[i][1] = log2((double)seen[i][1] / (seen[i][0] + seen[i][1]));
	}
	sequence[0] = first[0] + 127 * next[0][0];
	sequence[1] = first[0] + 64 * next[0][1] + 63 * next[1][0];
	sequence[2] = first[0] + next[0][1] + 126 * next[1][1];
	sequence[3] = first[1] + next[1][0] + 126 * next[0][0];
	sequence[4] = first[1] + 64 * next[1][0] + 63 * next[0][1];
	sequence[5] = first[1] + 127 * next[1][1];
	/* What needs a step that was never seen is not a number, or minus infinity. */
	for (i = 0; i < 6; i++)
		best = fmax(best, sequence[i]);
	return fmin(1, fmax(0, -best / 128));
}

/* 6.3.8, last part: p at which a run of @run hits among @count is the longest. */
static inline double entropy_local(size_t run, size_t count)
{
	double low = 0, high = 1, r = run + 1;
	int i, j;

	for (i = 0; i < 60; i++) {
		double p = (low + high) / 2, q = 1 - p, x = 1;

		for (j = 0; j < 10; j++)
			x = 1 + q * pow(p, r) * pow(x, r + 1);
		/* The chance of no such run falls as p grows. */
		if (log((1 - p * x) / ((r + 1 - r * x) * q)) - (count + 1) * log(x) > log(0.99))
			low = p;
		else
			high = p;
	}
	return low;
}

/* 6.3.8: guesses that a value comes again after the distance that did best so far. */
static inline double entropy_lag(const uint8_t *s, size_t count)
{
	enum { DISTANCES = 128 };
	size_t score[DISTANCES + 1] = { 0 }, best = 1, hits = 0, run = 0, longest = 0;
	size_t i, distance, guesses = count - 1, symbols = 0;
	uint8_t seen[ENTROPY_SYMBOLS] = { 0 };
	double p;

	for (i = 0; i < count; i++) {
		symbols += !seen[s[i]];
		seen[s[i]] = 1;
	}
	for (i = 1; i < count; i++) {
		if (best <= i && s[i - best] == s[i]) {
			hits++;
			if (++run > longest)
				longest = run;
		} else {
			run = 0;
		}
		for (distance = 1; distance <= DISTANCES && distance <= i; distance++)
			if (s[i - distance] == s[i] && ++score[distance] >= score[best])
				best = distance;
	}
	p = hits ? entropy_upper((double)hits / guesses, guesses) : 1 - pow(0.01, 1.0 / guesses);
	p = fmax(p, fmax(entropy_local(longest, guesses), 1.0 / symbols));
	return fmax(0, -log2(p));
}

/* 6.4: the bits of a word that are hardest to guess make a symbol of up to eight. */
static inline void entropy_best_bits(uint8_t *s, const uint64_t *words, size_t count)
{
	double hard[64];
	size_t i;
	int bit, n;

	for (bit = 0; bit < 64; bit++) {
		for (i = 0; i < count; i++)
			s[i] = words[i] >> bit & 1;
		hard[bit] = fmin(entropy_mcv(entropy_most(s, count), count),
				 entropy_markov(s, count));
	}
	memset(s, 0, count);
	for (n = 0; n < 8; n++) {
		int best = 0;

		for (bit = 1; bit < 64; bit++)
			if (hard[bit] > hard[best])
				best = bit;
		if (hard[best] <= 0)
			break;
		for (i = 0; i < count; i++)
			s[i] |= (words[i] >> best & 1) << n;
		hard[best] = 0;
	}
}

static inline int entropy_compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* How many values there are in @words, which are sorted here, and the commonest. */
static inline size_t entropy_values(uint64_t *words, size_t count, size_t *most)
{
	size_t values = 0, same = 0, i;

	*most = 0;
	qsort(words, count, sizeof(*words), entropy_compare);
	for (i = 0; i < count; i++) {
		same = i && words[i] == words[i - 1] ? same + 1 : 1;
		values += same == 1;
		if (same > *most)
			*most = same;
	}
	return values;
}

/**
 * struct entropy - estimates in bits per sample
 * @mcv: of the most common value
 * @collision: of the eight bits one after the other, times eight
 * @markov: likewise
 * @lag: of guessing a value that came before
 * @step: of guessing that a whole word grows by what it mostly does, which the
 *	standard lacks: a counter has all the others deceived
 * @least: the least of them
 */
struct entropy {
	double mcv, collision, markov, lag, step, least;
};

/* Of symbols @s taken from @words. */
static inline struct entropy entropy_of(const uint8_t *s, const uint64_t *words, size_t count)
{
	uint8_t *bits = malloc(8 * count);
	uint64_t *steps = malloc(count * sizeof(*steps));
	struct entropy e;
	size_t i, most;

	if (!bits || !steps)
		abort();
	for (i = 0; i < 8 * count; i++)
		bits[i] = s[i / 8] >> (7 - i % 8) & 1;
	for (i = 0; i + 1 < count; i++)
		steps[i] = words[i + 1] - words[i];
	e.mcv = entropy_mcv(entropy_most(s, count), count);
	e.collision = 8 * entropy_collision(bits, 8 * count);
	e.markov = 8 * entropy_markov(bits, 8 * count);
	e.lag = entropy_lag(s, count);
	entropy_values(steps, count - 1, &most);
	e.step = entropy_mcv(most, count - 1);
	e.least = fmin(fmin(fmin(e.mcv, e.collision), fmin(e.markov, e.lag)), e.step);
	free(bits);
	free(steps);
	return e;
}

#endif
