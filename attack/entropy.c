// SPDX-License-Identifier: GPL-2.0
/*
 * Min-entropy of what the noise hooks stir in
 *
 * Reads lines `traffic hook a b c d`, hexadecimal words of one call of a hook
 * each, and prints a table; see entropy.h for its columns.  `low8` is for the
 * lowest eight bits of a word, the next ones for the eight that are hardest to
 * guess, `bits` the greater result of the two.  The control rows say what the
 * estimators make of as many samples of known sources.
 */
#include <stdio.h>

#include <linux/siprand.h>

#include "entropy.h"

enum { WORDS = 4, NAME = 32, MOST = 1 << 16, FEWEST = 1024 };

static uint64_t words[WORDS][MOST], stirred[MOST], scratch[MOST];
static uint8_t symbols[MOST];

static void __attribute__((noreturn)) fail(const char *what, size_t line)
{
	fprintf(stderr, "entropy: line %zu: %s\n", line, what);
	exit(1);
}

/* No function of the words holds more than @limit, what they hold together. */
static double row(const char *name, const char *argument, const uint64_t *samples,
		  size_t count, double limit)
{
	struct entropy low, best;
	size_t i, most;
	double bits;

	for (i = 0; i < count; i++)
		symbols[i] = samples[i];
	low = entropy_of(symbols, samples, count);
	entropy_best_bits(symbols, samples, count);
	best = entropy_of(symbols, samples, count);
	bits = fmin(fmax(low.least, best.least), limit);
	memcpy(scratch, samples, count * sizeof(*samples));
	/* A minus sign before a zero says nothing. */
	printf("%s,%s,%zu,%zu,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", name, argument, count,
	       entropy_values(scratch, count, &most), low.least + 0.0,
	       best.mcv + 0.0, best.collision + 0.0, best.markov + 0.0, best.lag + 0.0,
	       best.step + 0.0, bits + 0.0);
	return bits;
}

static void rows(const char *name, size_t count, size_t line)
{
	double sum = 0;
	int word;
	size_t i;

	if (count < FEWEST)
		fail("too few samples of one kind before this", line);
	for (word = 0; word < WORDS; word++)
		sum += row(name, (const char[]){ 'a' + word, '\0' }, words[word], count, INFINITY);
	for (i = 0; i < count; i++)
		stirred[i] = siprand_stir(0, words[0][i], words[1][i], words[2][i], words[3][i]);
	row(name, "stirred", stirred, count, sum);
}

static void controls(size_t count)
{
	struct siprand_words generator = { 1, 2, 3, 4, 0 };
	size_t i;

	for (i = 0; i < count; i++)
		words[0][i] = 42;
	row("control,-", "constant", words[0], count, INFINITY);
	for (i = 0; i < count; i++)
		words[0][i] = 3 * i;
	row("control,-", "counter", words[0], count, INFINITY);
	for (i = 0; i < count; i++)
		words[0][i] = siprand_step(&generator, 0) & 1;
	row("control,-", "fair bit", words[0], count, INFINITY);
	for (i = 0; i < count; i++)
		words[0][i] = siprand_step(&generator, 0);
	row("control,-", "uniform", words[0], count, INFINITY);
}

int main(void)
{
	char line[256], traffic[NAME], hook[NAME], name[2 * NAME] = "", now[2 * NAME];
	size_t count = 0, largest = 0, number = 0;
	unsigned long long w[WORDS];

	printf("traffic,hook,argument,samples,distinct,low8,mcv,collision,markov,lag,step,bits\n");
	while (fgets(line, sizeof(line), stdin)) {
		int end = 0, word;

		number++;
		if (sscanf(line, "%31s %31s %llx %llx %llx %llx %n", traffic, hook,
			   &w[0], &w[1], &w[2], &w[3], &end) != 2 + WORDS || line[end])
			fail("not a traffic, a hook and four hexadecimal words", number);
		snprintf(now, sizeof(now), "%s,%s", traffic, hook);
		if (strcmp(now, name)) {
			if (count)
				rows(name, count, number);
			strcpy(name, now);
			count = 0;
		}
		if (count == MOST)
			fail("too many samples of one kind", number);
		for (word = 0; word < WORDS; word++)
			words[word][count] = w[word];
		if (++count > largest)
			largest = count;
	}
	if (!count)
		fail("no samples", number);
	rows(name, count, number);
	controls(largest);
	return 0;
}
