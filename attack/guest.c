// SPDX-License-Identifier: GPL-2.0
/*
 * Predict what other BPF programs on this CPU will draw
 *
 * Runs as /init.  Reads four values of bpf_get_prandom_u32(), takes them for
 * outputs of an LFSR113, and counts how many of the next thousand follow.
 */
#include "../bench/guest.h"
#include "lfsr113.h"

enum { SEEN = 4, GUESSES = 1000 };

/* How many of @next follow from @seen. */
static int predict(const uint32_t seen[SEEN], const uint32_t next[GUESSES], int *rank)
{
	struct lfsr113_solver solver;
	struct lfsr113 state;
	int i, hits = 0;

	lfsr113_start(&solver);
	for (i = 0; i < SEEN; i++)
		lfsr113_see(&solver, seen[i]);
	lfsr113_solve(&solver, &state);
	for (i = 0; i < SEEN; i++)
		lfsr113_next(&state);
	for (i = 0; i < GUESSES; i++)
		hits += lfsr113_next(&state) == next[i];
	*rank = solver.rank;
	return hits;
}

/* The solver must be able to do it. */
static int control(int *rank)
{
	struct lfsr113 state = { { 0x12345678, 0x9abcdef0, 0x0f1e2d3c, 0x4b5a6978 } };
	uint32_t seen[SEEN], next[GUESSES];
	int i;

	for (i = 0; i < SEEN; i++)
		seen[i] = lfsr113_next(&state);
	for (i = 0; i < GUESSES; i++)
		next[i] = lfsr113_next(&state);
	return predict(seen, next, rank);
}

int main(void)
{
	uint32_t seen[SEEN], next[GUESSES];
	int fd, i, hits, rank;

	guest_pin();
	hits = control(&rank);
	printf("siprand-attack: control %d of %d, rank %d\n", hits, GUESSES, rank);
	fd = guest_load_draws(1);
	for (i = 0; i < SEEN; i++)
		seen[i] = guest_run(fd);
	for (i = 0; i < GUESSES; i++)
		next[i] = guest_run(fd);
	hits = predict(seen, next, &rank);
	printf("siprand-attack: seen %08x %08x %08x %08x\n", seen[0], seen[1], seen[2], seen[3]);
	printf("siprand-attack: bpf %d of %d, rank %d\n", hits, GUESSES, rank);
	guest_end();
}
