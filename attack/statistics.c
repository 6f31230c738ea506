// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of the generators for statistical tests, and linear ones of our own
 *
 *	statistics stream GENERATOR STREAM KEY	what it draws, in binary, endless
 *	statistics linear GENERATOR STREAM KEY	lines of test, parameter, p
 *
 * A stream is of a single generator, or of four CPUs' interleaved: one draw of
 * each in turn.  KEY is any text: the global key is a hash of it, and the states
 * are derived from that as the kernel's are.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/siprand.h>

#include "lfsr113.h"
#include "statistics.h"

enum { CPUS = 4 };

/* The generator of a CPU: an LFSR113 or the words of a SipHash state. */
union state {
	struct lfsr113 lfsr113;
	struct siprand_words words;
	uint32_t half[4];
};

/* Any text makes a key. */
static void hash(uint64_t out[4], const char *text)
{
	unsigned long v[4] = { 1, 2, 3, 4 };
	int i;

	for (; *text; text++) {
		v[3] ^= (unsigned char)*text;
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
		v[0] ^= (unsigned char)*text;
	}
	for (i = 0; i < 8; i++)
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
	for (i = 0; i < 4; i++)
		out[i] = v[i];
}

/* SipHash-2-4 of @count words. */
static uint64_t siphash(const uint64_t key[2], const uint64_t *words, int count)
{
	unsigned long v[4] = {
		key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
		key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573,
	};
	int i;

	for (i = 0; i <= count; i++) {
		uint64_t word = i < count ? words[i] : (uint64_t)count << 59;

		v[3] ^= word;
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	for (i = 0; i < 4; i++)
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static uint32_t rol32(uint32_t x, int by)
{
	return x << by | x >> (32 - by);
}

static void half_round(uint32_t v[4])
{
	v[0] += v[1];
	v[1] = rol32(v[1], 5) ^ v[0];
	v[0] = rol32(v[0], 16);
	v[2] += v[3];
	v[3] = rol32(v[3], 8) ^ v[2];
	v[0] += v[3];
	v[3] = rol32(v[3], 7) ^ v[0];
	v[2] += v[1];
	v[1] = rol32(v[1], 13) ^ v[2];
	v[2] = rol32(v[2], 16);
}

/* What a call site at one place on the stack has for context, and no noise. */
#define CONTEXT 0xffffc90000123f58ULL

static uint32_t next_siprand64(union state *state)
{
	return siprand_step(&state->words, siprand_spread(CONTEXT));
}

static uint32_t next_upstream2020(union state *state)
{
	return siprand_step(&state->words, 0);
}

static uint32_t next_siprand32(union state *state)
{
	const uint64_t product = (uint64_t)(uint32_t)CONTEXT * SIPRAND_CONTEXT_FACTOR;
	const uint32_t n = (uint32_t)(product ^ product >> 32);
	uint32_t *v = state->half;

	v[3] ^= n;
	half_round(v);
	half_round(v);
	v[0] ^= n;
	return v[1] + v[3];
}

static uint32_t next_tausworthe(union state *state)
{
	return lfsr113_next(&state->lfsr113);
}

static void seed_words(union state *state, const uint64_t v[4])
{
	state->words = (struct siprand_words){ v[0], v[1], v[2], v[3], 0 };
}

static void seed_half(union state *state, const uint64_t v[4])
{
	int i;

	for (i = 0; i < 4; i++)
		state->half[i] = v[i];
}

static void seed_tausworthe(union state *state, const uint64_t v[4])
{
	static const uint32_t least[4] = { 2, 8, 16, 128 };
	int i;

	for (i = 0; i < 4; i++)
		state->lfsr113.s[i] = (uint32_t)v[i] < least[i] ? v[i] + least[i] : v[i];
	for (i = 0; i < 10; i++)
		lfsr113_next(&state->lfsr113);
}

static const struct generator {
	const char *name;
	void (*seed)(union state *state, const uint64_t v[4]);
	uint32_t (*next)(union state *state);
} generators[] = {
	{ "tausworthe", seed_tausworthe, next_tausworthe },
	{ "upstream2020", seed_words, next_upstream2020 },
	{ "siprand64", seed_words, next_siprand64 },
	{ "siprand32", seed_half, next_siprand32 },
};

static const struct generator *generator;
static union state states[CPUS];
static int cpus, cpu;

static uint32_t next(void)
{
	uint32_t out = generator->next(&states[cpu]);

	if (++cpu == cpus)
		cpu = 0;
	return out;
}

/* The words of CPU @i, as siprand_derive() makes them from one global key. */
static void start(const char *text)
{
	uint64_t key[4], v[4];
	int i;

	hash(key, text);
	for (cpu = 0; cpu < cpus; cpu++) {
		for (i = 0; i < 4; i++)
			v[i] = siphash(key, (uint64_t[]){ 2, cpu, i, 1, 2, 3, 4 }, 7);
		generator->seed(&states[cpu], v);
	}
	cpu = 0;
}

static void stream(void)
{
	static uint32_t buffer[1 << 14];
	size_t i;

	do {
		for (i = 0; i < sizeof(buffer) / sizeof(*buffer); i++)
			buffer[i] = next();
	} while (fwrite(buffer, sizeof(buffer), 1, stdout) == 1);
}

/* Bits that are all drawn in turn: of whole words, or bit @bit of each. */
static bool next_bit(int bit)
{
	static uint32_t word;
	static int left;

	if (bit >= 0)
		return next() >> bit & 1;
	if (!left) {
		word = next();
		left = 32;
	}
	return word >> --left & 1;
}

enum { WHOLE = -1 };

static void ranks(const char *test, int bit)
{
	static uint64_t row[SIZE_MOST][SIZE_MOST / 64];
	unsigned int size, i, row_number, column;

	for (size = 32; size <= SIZE_MOST; size *= 2) {
		/* At least eight are expected in each class. */
		const unsigned int matrices = size <= 256 ? 512 : 64;
		unsigned int seen[RANK_CLASSES] = { 0 };

		for (i = 0; i < matrices; i++) {
			memset(row, 0, sizeof(row));
			for (row_number = 0; row_number < size; row_number++)
				for (column = 0; column < size; column++)
					row[row_number][column / 64] |=
						(uint64_t)next_bit(bit) << column % 64;
			seen[rank_class(size, matrix_rank(row, size))]++;
		}
		printf("%s,%u,%.8g\n", test, size,
		       chi_square_of(seen, rank_chance, RANK_CLASSES, matrices));
	}
}

static void complexities(void)
{
	enum { BLOCKS = 256, BLOCK = 1024 };
	static uint8_t bits[32][BITS_MOST];
	unsigned int bit, i;

	for (i = 0; i < BITS_MOST; i++) {
		const uint32_t word = next();

		for (bit = 0; bit < 32; bit++)
			bits[bit][i] = word >> bit & 1;
	}
	for (bit = 0; bit < 32; bit++)
		printf("complexity_65536,%u,%.8g\n", bit,
		       complexity_p(BITS_MOST, linear_complexity(bits[bit], BITS_MOST, NULL)));
	for (bit = 0; bit < 32; bit++) {
		unsigned int seen[COMPLEXITY_CLASSES] = { 0 }, block;

		for (block = 0; block < BLOCKS; block++) {
			for (i = 0; i < BLOCK; i++)
				bits[0][i] = next_bit(bit);
			seen[complexity_class(BLOCK, linear_complexity(bits[0], BLOCK, NULL))]++;
		}
		printf("complexity_1024,%u,%.8g\n", bit,
		       chi_square_of(seen, complexity_chance, COMPLEXITY_CLASSES, BLOCKS));
	}
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 5) {
		for (i = 0; i < sizeof(generators) / sizeof(*generators); i++)
			if (!strcmp(argv[2], generators[i].name))
				generator = &generators[i];
		cpus = strcmp(argv[3], "interleaved") ? strcmp(argv[3], "single") ? 0 : 1 : CPUS;
	}
	if (!generator || !cpus) {
		fprintf(stderr, "usage: statistics stream|linear GENERATOR single|interleaved KEY\n");
		return 1;
	}
	start(argv[4]);
	if (!strcmp(argv[1], "stream")) {
		stream();
	} else {
		ranks("rank_words", WHOLE);
		ranks("rank_lowest_bit", 0);
		complexities();
	}
	return 0;
}
