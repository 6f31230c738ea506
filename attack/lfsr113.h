/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LFSR113, and its state from what it has put out
 *
 * The generator is by Pierre L'Ecuyer ("Tables of maximally equidistributed
 * combined LFSR generators", Mathematics of Computation 68, 1999); it is
 * prandom_u32_state().  Every bit that it ever puts out is a xor of bits of
 * its first state, so each bit seen is a linear equation over GF(2).
 */
#ifndef LFSR113_H
#define LFSR113_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	LFSR113_BITS = 128,
	/* The lowest 1, 3, 4 and 7 bits of the four words have no influence. */
	LFSR113_RANK = 113,
};

struct lfsr113 {
	uint32_t s[4];
};

/* Shifts of the four components: to the left, to the right, after masking. */
static const struct {
	unsigned int left, right, masked, shift;
} lfsr113_step[4] = {
	{ 6, 13, 1, 18 }, { 2, 27, 3, 2 }, { 13, 21, 4, 7 }, { 3, 12, 7, 13 },
};

static inline uint32_t lfsr113_next(struct lfsr113 *state)
{
	uint32_t out = 0;
	int i;

	for (i = 0; i < 4; i++) {
		uint32_t s = state->s[i];

		state->s[i] = (s >> lfsr113_step[i].masked << lfsr113_step[i].masked)
			<< lfsr113_step[i].shift ^
			((s << lfsr113_step[i].left) ^ s) >> lfsr113_step[i].right;
		out ^= state->s[i];
	}
	return out;
}

/* A xor of bits of the first state, and of a constant in right. */
struct lfsr113_form {
	uint64_t bit[2];
	bool right;
};

static inline void lfsr113_add(struct lfsr113_form *to, const struct lfsr113_form *form)
{
	to->bit[0] ^= form->bit[0];
	to->bit[1] ^= form->bit[1];
	to->right ^= form->right;
}

static inline bool lfsr113_has(const struct lfsr113_form *form, int i)
{
	return form->bit[i / 64] >> i % 64 & 1;
}

/**
 * struct lfsr113_solver - equations seen so far
 * @s: the bits of the state, as forms in those of the first state
 * @row: equation whose lowest unknown is its index
 * @known: whether there is one
 * @rank: how many there are
 * @contradictions: equations that no state of an LFSR113 satisfies
 */
struct lfsr113_solver {
	struct lfsr113_form s[4][32];
	struct lfsr113_form row[LFSR113_BITS];
	bool known[LFSR113_BITS];
	int rank;
	int contradictions;
};

static inline void lfsr113_start(struct lfsr113_solver *solver)
{
	int i;

	memset(solver, 0, sizeof(*solver));
	for (i = 0; i < LFSR113_BITS; i++)
		solver->s[i / 32][i % 32].bit[i / 64] = 1ULL << i % 64;
}

/* The state one output later. */
static inline void lfsr113_advance(struct lfsr113_solver *solver)
{
	int i, bit;

	for (i = 0; i < 4; i++) {
		const unsigned int left = lfsr113_step[i].left, right = lfsr113_step[i].right;
		const unsigned int masked = lfsr113_step[i].masked, shift = lfsr113_step[i].shift;
		struct lfsr113_form next[32] = {};

		for (bit = 0; bit < 32; bit++) {
			if (bit >= (int)(masked + shift))
				lfsr113_add(&next[bit], &solver->s[i][bit - shift]);
			if (bit + right < 32) {
				lfsr113_add(&next[bit], &solver->s[i][bit + right]);
				if (bit + right >= left)
					lfsr113_add(&next[bit], &solver->s[i][bit + right - left]);
			}
		}
		memcpy(solver->s[i], next, sizeof(next));
	}
}

/* Bit @bit of the present output is @value. */
static inline void lfsr113_see_bit(struct lfsr113_solver *solver, int bit, bool value)
{
	struct lfsr113_form form = { .right = value };
	int i;

	for (i = 0; i < 4; i++)
		lfsr113_add(&form, &solver->s[i][bit]);
	for (i = 0; i < LFSR113_BITS; i++) {
		if (!lfsr113_has(&form, i))
			continue;
		if (!solver->known[i]) {
			solver->known[i] = true;
			solver->row[i] = form;
			solver->rank++;
			return;
		}
		lfsr113_add(&form, &solver->row[i]);
	}
	solver->contradictions += form.right;
}

/* The next output is @out. */
static inline void lfsr113_see(struct lfsr113_solver *solver, uint32_t out)
{
	int bit;

	lfsr113_advance(solver);
	for (bit = 0; bit < 32; bit++)
		lfsr113_see_bit(solver, bit, out >> bit & 1);
}

/* The state before the first output; unknowns without an equation are zero. */
static inline void lfsr113_solve(const struct lfsr113_solver *solver, struct lfsr113 *state)
{
	bool value[LFSR113_BITS];
	int i, j;

	memset(state, 0, sizeof(*state));
	for (i = LFSR113_BITS - 1; i >= 0; i--) {
		value[i] = solver->known[i] && solver->row[i].right;
		for (j = i + 1; solver->known[i] && j < LFSR113_BITS; j++)
			value[i] ^= lfsr113_has(&solver->row[i], j) && value[j];
		state->s[i / 32] |= (uint32_t)value[i] << i % 32;
	}
}

#endif
