/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generators as functions on the host, by width and rounds per draw
 *
 * Written apart from include/linux/siprand.h, which follows the machine's width.
 * SipRound and HalfSipRound are by Aumasson and Bernstein (2012).
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>

#include "lfsr113.h"

enum generator { TAUSWORTHE, UPSTREAM2020, SIPRAND64, SIPRAND32, GENERATORS };

static const char *const generator_name[GENERATORS] = {
	"tausworthe", "upstream2020", "siprand64", "siprand32",
};

enum { HALVES = 4 };

static inline uint64_t model_rol(uint64_t x, int by, int width)
{
	if (width == 32)
		return (uint32_t)x << by | (uint32_t)x >> (32 - by);
	return x << by | x >> (64 - by);
}

/* @halves halves of rounds on words of @width bits. */
static inline void model_rounds(uint64_t v[4], int width, int halves)
{
	static const int rotate[2][4] = { { 13, 16, 17, 21 }, { 5, 8, 13, 7 } };
	const int *by = rotate[width == 32];
	const uint64_t mask = ~0ULL >> (64 - width);
	int i;

	for (i = 0; i < halves; i++) {
		/* The second half pairs v0 with v3 and v2 with v1. */
		const int a = i & 1 ? 3 : 1, b = 4 - a;

		v[0] = (v[0] + v[a]) & mask;
		v[a] = model_rol(v[a], by[i & 1 ? 3 : 0], width) ^ v[0];
		v[2] = (v[2] + v[b]) & mask;
		v[b] = model_rol(v[b], by[i & 1 ? 2 : 1], width) ^ v[2];
		v[i & 1 ? 2 : 0] = model_rol(v[i & 1 ? 2 : 0], width / 2, width);
	}
}

static inline uint32_t model_draw(uint64_t v[4], uint64_t n, int width, int halves)
{
	v[3] ^= n;
	model_rounds(v, width, halves);
	v[0] ^= n;
	return (uint32_t)(v[1] + v[3]);
}

/* SipHash-2-4 of @count words: what keying uses at both widths. */
static inline uint64_t model_prf(const uint64_t key[2], const uint64_t *words, int count)
{
	uint64_t v[4] = {
		key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
		key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573,
	};
	int i;

	for (i = 0; i <= count; i++) {
		uint64_t word = i < count ? words[i] : (uint64_t)count << 59;

		v[3] ^= word;
		model_rounds(v, 64, 4);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	model_rounds(v, 64, 8);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* New words from old ones, as lib/siprand.c does. */
static inline void model_derive(uint64_t v[4], const uint64_t key[2], uint32_t instance,
				uint32_t cpu, uint64_t generation, int width)
{
	uint64_t in[7] = { generation, (uint64_t)instance << 32 | cpu, 0, v[0], v[1], v[2], v[3] };

	for (in[2] = 0; in[2] < 4; in[2]++)
		v[in[2]] = model_prf(key, in, 7) & (~0ULL >> (64 - width));
}

struct model {
	enum generator generator;
	struct lfsr113 lfsr113;
	uint64_t v[4];
	uint64_t n;
};

static inline void model_key(struct model *model, enum generator generator, uint64_t trial)
{
	static const uint64_t start[4] = { 1, 2, 3, 4 };
	const uint64_t key[2] = { trial, generator };
	const int width = generator == SIPRAND32 ? 32 : 64;
	int i;

	model->generator = generator;
	memcpy(model->v, start, sizeof(start));
	model_derive(model->v, key, 0, 0, 1, width);
	/* Each word needs a bit that is not masked off. */
	for (i = 0; i < 4; i++)
		model->lfsr113.s[i] = (uint32_t)model->v[i] | 0x80;
	/* Upstream mixes in no context. */
	model->n = generator == UPSTREAM2020 ? 0 :
		model_prf(key, model->v, 4) & (~0ULL >> (64 - width));
}

static inline uint32_t model_next(struct model *model)
{
	if (model->generator == TAUSWORTHE)
		return lfsr113_next(&model->lfsr113);
	return model_draw(model->v, model->n, model->generator == SIPRAND32 ? 32 : 64, HALVES);
}

#endif
