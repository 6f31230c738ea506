// SPDX-License-Identifier: GPL-2.0
/*
 * How often the solver for LFSR113 tells the next output of each generator
 *
 * Prints CSV.  Each trial has a key of its own, the same on every run.
 */
#include <stdio.h>

#include "model.h"
#include "observe.h"

enum { TRIALS = 1000 };

/* @skip outputs unseen after each one seen; a tick of 5.8 after @tick of them. */
static const struct {
	const char *name;
	int count;
	struct observation as;
	int skip, tick;
} cases[] = {
	{ "4 words", 4, { .kind = WORD }, 0, 0 },
	{ "6 x top 20 bits", 6, { TOP, 20, 0, 0 }, 0, 0 },
	{ "8 x top 16 bits", 8, { TOP, 16, 0, 0 }, 0, 0 },
	{ "113 x top 1 bit", 113, { TOP, 1, 0, 0 }, 0, 0 },
	{ "12 x low 10 bits", 12, { LOW, 10, 0, 0 }, 0, 0 },
	{ "40 ports 32768..60999", 40, { RANGE, 32768, 60999, 0 }, 0, 0 },
	{ "every 3rd of 10 words", 4, { .kind = WORD }, 2, 0 },
	{ "6 words with a tick between", 6, { .kind = WORD }, 0, 3 },
};

static bool hit(int c, enum generator generator, int trial)
{
	struct lfsr113_solver solver;
	struct observation seen = cases[c].as;
	struct model model;
	uint32_t guess;
	int i, j;

	model_key(&model, generator, trial);
	lfsr113_start(&solver);
	for (i = 0; i < cases[c].count; i++) {
		if (i && i == cases[c].tick) {
			model.lfsr113.s[0] += 0x01fb4a00 + trial;
			lfsr113_tick(&solver);
		}
		seen.value = observe(&seen, model_next(&model));
		lfsr113_advance(&solver);
		observe_see(&solver, &seen);
		for (j = 0; j < cases[c].skip; j++) {
			model_next(&model);
			lfsr113_advance(&solver);
		}
	}
	lfsr113_advance(&solver);
	return lfsr113_predict(&solver, &guess) && guess == model_next(&model);
}

int main(void)
{
	int c, generator, trial;

	puts("case,generator,observations,hits,of");
	for (c = 0; c < (int)(sizeof(cases) / sizeof(*cases)); c++) {
		for (generator = 0; generator < GENERATORS; generator++) {
			int hits = 0;

			for (trial = 0; trial < TRIALS; trial++)
				hits += hit(c, generator, trial);
			printf("%s,%s,%d,%d,%d\n", cases[c].name, generator_name[generator],
			       cases[c].count, hits, TRIALS);
			fflush(stdout);
		}
	}
	return 0;
}
