// SPDX-License-Identifier: GPL-2.0
/*
 * Host tests of attack/: the models of the generators against known answers, and
 * the solver on input that is right, wrong and malformed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef uint32_t u32;
typedef uint64_t u64;

#define BITS_PER_LONG WIDTH
#include "test_siprand_vectors.h"

#include "../attack/model.h"

/* The solver as a function: what it prints goes to the streams of a test. */
#define main solve_main
#include "../attack/solve.c"
#undef main

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static void test_model_draw(void **unused)
{
	uint64_t v[4];
	size_t i;

	(void)unused;
	for (i = 0; i < 4; i++)
		v[i] = siprand_vec_draw_v[i];
	for (i = 0; i < ARRAY_SIZE(siprand_vec_draw_n); i++)
		assert_int_equal(model_draw(v, siprand_vec_draw_n[i], WIDTH, HALVES),
				 siprand_vec_draw_out[i]);
	for (i = 0; i < 4; i++)
		assert_int_equal(v[i], siprand_vec_draw_end[i]);
}

static void test_model_derive(void **unused)
{
	uint64_t v[4];
	size_t i;

	(void)unused;
	for (i = 0; i < 4; i++)
		v[i] = siprand_vec_derive_v[i];
	model_derive(v, siprand_vec_key, 1, 0x1234, 0x89abcdef, WIDTH);
	for (i = 0; i < 4; i++)
		assert_int_equal(v[i], siprand_vec_derive_out[i]);
}

static int solve_text(const char *text)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int error;

	assert_non_null(in);
	error = solve(in);
	fclose(in);
	return error;
}

static void test_solver_recovers(void **unused)
{
	static const struct observation ways[] = {
		{ .kind = WORD }, { TOP, 20, 0, 0 }, { LOW, 10, 0, 0 }, { RANGE, 32768, 60999, 0 },
	};
	static const int enough[] = { 4, 6, 12, 40 };
	struct lfsr113_solver solver;
	struct lfsr113 state;
	struct observation seen;
	uint32_t guess;
	size_t way;
	int i;

	(void)unused;
	for (way = 0; way < ARRAY_SIZE(ways); way++) {
		state = (struct lfsr113){ { 0x12345678, 0x9abcdef0, 0x0f1e2d3c, 0x4b5a6978 } };
		seen = ways[way];
		lfsr113_start(&solver);
		for (i = 0; i < enough[way]; i++) {
			lfsr113_advance(&solver);
			assert_false(i < 3 && lfsr113_predict(&solver, &guess));
			seen.value = observe(&seen, lfsr113_next(&state));
			observe_see(&solver, &seen);
		}
		assert_int_equal(solver.contradictions, 0);
		assert_int_equal(solver.rank, LFSR113_RANK);
		lfsr113_advance(&solver);
		assert_true(lfsr113_predict(&solver, &guess));
		assert_int_equal(guess, lfsr113_next(&state));
	}
}

/* Five words with an unknown number of others, 3, between the third and the fourth. */
static void test_solver_finds_gap(void **unused)
{
	struct lfsr113 state = { { 0x12345678, 0x9abcdef0, 0x0f1e2d3c, 0x4b5a6978 } };
	char text[256] = "# a comment\n\n";
	int i;

	(void)unused;
	for (i = 0; i < 9; i++) {
		uint32_t out = lfsr113_next(&state);

		if (i == 3)
			strcat(text, "gap 0 7\n");
		if (i < 3 || i >= 6)
			sprintf(text + strlen(text), "word 0x%08x\n", out);
	}
	assert_int_equal(solve_text(text), 0);
	strcat(text, "word 0\n");
	assert_int_not_equal(solve_text(text), 0);
}

static void test_solver_refuses(void **unused)
{
	static const char *const bad[] = {
		"\n", "word\n", "word x\n", "word 1 2\n", "word 0x100000000\n", "word -1\n",
		"top 0 0\n", "top 33 0\n", "top 4 16\n", "low 1 2\n", "range 5 4 5\n",
		"range 1 4 5\n", "gap 2 1\n", "gap 0 4096\n", "skip 65537\n", "wor 1\n",
		"tick\ntick\ntick\ntick\ntick\ntick\ntick\ntick\ntick\n", "word 1\n",
		"word 1\nword 2\nword 3\nword 4\nword 5\n",
	};
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_not_equal(solve_text(bad[i]), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model_draw),
		cmocka_unit_test(test_model_derive),
		cmocka_unit_test(test_solver_recovers),
		cmocka_unit_test(test_solver_finds_gap),
		cmocka_unit_test(test_solver_refuses),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%d passed, %d failed\n", (int)ARRAY_SIZE(tests) - failed, failed);
	return failed != 0;
}
