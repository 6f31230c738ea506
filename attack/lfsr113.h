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
	/* Words added to the first one on the way are unknown too. */
	LFSR113_TICKS = 8,
	LFSR113_UNKNOWNS = LFSR113_BITS + 32 * LFSR113_TICKS,
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

/* A xor of unknown bits, those of the first state first, and of a constant in right. */
struct lfsr113_form {
	uint64_t bit[LFSR113_UNKNOWNS / 64];
	bool right;
};

static inline void lfsr113_add(struct lfsr113_form *to, const struct lfsr113_form *form)
{
	int i;

	for (i = 0; i < LFSR113_UNKNOWNS / 64; i++)
		to->bit[i] ^= form->bit[i];
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
 * @unknowns: how many unknown bits
 * @contradictions: equations that no state of an LFSR113 satisfies
 */
struct lfsr113_solver {
	struct lfsr113_form s[4][32];
	struct lfsr113_form row[LFSR113_UNKNOWNS];
	bool known[LFSR113_UNKNOWNS];
	int rank;
	int unknowns;
	int contradictions;
};

static inline void lfsr113_start(struct lfsr113_solver *solver)
{
	int i;

	memset(solver, 0, sizeof(*solver));
	solver->unknowns = LFSR113_BITS;
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

/*
 * Linux 5.8 adds a word to the first one on each tick.  Carries are not linear, so
 * the sum is 32 new unknowns.
 */
static inline bool lfsr113_tick(struct lfsr113_solver *solver)
{
	int i;

	if (solver->unknowns == LFSR113_UNKNOWNS)
		return false;
	memset(solver->s[0], 0, sizeof(solver->s[0]));
	for (i = 0; i < 32; i++, solver->unknowns++)
		solver->s[0][i].bit[solver->unknowns / 64] = 1ULL << solver->unknowns % 64;
	return true;
}

/* The lowest unknown of @form that no equation tells, or -1; @form is reduced. */
static inline int lfsr113_reduce(const struct lfsr113_solver *solver, struct lfsr113_form *form)
{
	int i;

	for (i = 0; i < solver->unknowns; i++) {
		if (!lfsr113_has(form, i))
			continue;
		if (!solver->known[i])
			return i;
		lfsr113_add(form, &solver->row[i]);
	}
	return -1;
}

static inline struct lfsr113_form lfsr113_out(const struct lfsr113_solver *solver, int bit)
{
	struct lfsr113_form form = {};
	int i;

	for (i = 0; i < 4; i++)
		lfsr113_add(&form, &solver->s[i][bit]);
	return form;
}

/* Bit @bit of the present output is @value. */
static inline void lfsr113_see_bit(struct lfsr113_solver *solver, int bit, bool value)
{
	struct lfsr113_form form = lfsr113_out(solver, bit);
	int i;

	form.right ^= value;
	i = lfsr113_reduce(solver, &form);
	if (i < 0) {
		solver->contradictions += form.right;
		return;
	}
	solver->known[i] = true;
	solver->row[i] = form;
	solver->rank++;
}

/* The present output, if the equations tell all of its bits. */
static inline bool lfsr113_predict(const struct lfsr113_solver *solver, uint32_t *out)
{
	int bit;

	*out = 0;
	for (bit = 0; bit < 32; bit++) {
		struct lfsr113_form form = lfsr113_out(solver, bit);

		if (lfsr113_reduce(solver, &form) >= 0)
			return false;
		*out |= (uint32_t)form.right << bit;
	}
	return true;
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
	bool value[LFSR113_UNKNOWNS];
	int i, j;

	memset(state, 0, sizeof(*state));
	for (i = solver->unknowns - 1; i >= 0; i--) {
		value[i] = solver->known[i] && solver->row[i].right;
		for (j = i + 1; solver->known[i] && j < solver->unknowns; j++)
			value[i] ^= lfsr113_has(&solver->row[i], j) && value[j];
		if (i < LFSR113_BITS)
			state->s[i / 32] |= (uint32_t)value[i] << i % 32;
	}
}

#endif
