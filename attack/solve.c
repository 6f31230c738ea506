// SPDX-License-Identifier: GPL-2.0
/*
 * Recover the state of an LFSR113 from what has been seen of its outputs
 *
 *	solve [FILE]	reads standard input without FILE
 *
 * One observation a line, numbers in decimal or, after 0x, in hexadecimal:
 *
 *	word X		a whole output
 *	top K X		its K highest bits
 *	low K X		its K lowest bits, as of x % 2^K
 *	range A B X	a number from A to B, made by multiplying and shifting
 *	skip N		N outputs that nobody saw
 *	gap A B		A to B outputs that nobody saw
 *	tick		Linux 5.8 added something to the first word (8 at most)
 *
 * Empty lines and those that start with # are passed over.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "observe.h"

/* Bounds on the work: lines, outputs not seen, and ways to fill all gaps. */
enum { LINES = 65536, SKIPPED = 65536, WAYS = 4096, STEPS = 1 << 24, SHOWN = 8 };

static const struct {
	const char *name;
	int numbers;
} kinds[KINDS] = {
	[WORD] = { "word", 1 }, [TOP] = { "top", 2 }, [LOW] = { "low", 2 },
	[RANGE] = { "range", 3 }, [SKIP] = { "skip", 1 }, [GAP] = { "gap", 2 },
	[TICK] = { "tick", 0 },
};

struct seen {
	struct observation *line;
	int lines, used, ticks;
	uint64_t ways, skipped;
};

static int refuse(unsigned int line, const char *what)
{
	if (line)
		fprintf(stderr, "solve: error: line %u: %s\n", line, what);
	else
		fprintf(stderr, "solve: error: %s\n", what);
	return 1;
}

static bool parse_number(const char **at, uint32_t *number)
{
	unsigned long long value;
	char *end;
	int base;

	while (isblank((unsigned char)**at))
		++*at;
	if (!isdigit((unsigned char)**at))
		return false;
	base = (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x' ? 16 : 10;
	errno = 0;
	value = strtoull(*at, &end, base);
	if (errno || value > UINT32_MAX || (*end && !isspace((unsigned char)*end)))
		return false;
	*at = end;
	*number = value;
	return true;
}

/* NULL, or what is wrong with @text. */
static const char *parse(const char *text, struct observation *to)
{
	uint32_t number[3] = { 0 };
	size_t length;
	int i, kind;

	length = strcspn(text, " \t\r\n");
	for (kind = 0; kind < KINDS; kind++)
		if (length == strlen(kinds[kind].name) && !memcmp(text, kinds[kind].name, length))
			break;
	if (kind == KINDS)
		return "not one of word, top, low, range, skip, gap, tick";
	text += length;
	for (i = 0; i < kinds[kind].numbers; i++)
		if (!parse_number(&text, &number[i]))
			return "too few numbers, or one that is no 32-bit number";
	if (text[strspn(text, " \t\r\n")])
		return "something follows the last number";
	*to = (struct observation){ .kind = kind, .a = number[0], .b = number[1] };
	to->value = kind == WORD ? number[0] : kind == RANGE ? number[2] : number[1];
	if (kind == SKIP)
		to->b = to->a;
	if (kind == TOP || kind == LOW) {
		if (to->a < 1 || to->a > 32)
			return "the number of bits is not from 1 to 32";
		if (to->value > 0xffffffff >> (32 - to->a))
			return "the value has more bits than that";
	}
	if ((kind == RANGE || kind == GAP) && to->a > to->b)
		return "the lower bound is above the upper one";
	if (kind == RANGE && (to->value < to->a || to->value > to->b))
		return "the value is out of its range";
	return NULL;
}

static int seen_add(struct seen *seen, const char *text, unsigned int number)
{
	struct observation *line = &seen->line[seen->lines];
	const char *wrong = parse(text, line);

	if (wrong)
		return refuse(number, wrong);
	if (line->kind == SKIP || line->kind == GAP) {
		seen->skipped += line->b;
		seen->ways *= line->b - line->a + 1ULL;
		if (seen->skipped > SKIPPED)
			return refuse(number, "more than 65536 outputs not seen");
		if (seen->ways > WAYS)
			return refuse(number, "more than 4096 ways to fill the gaps");
	} else if (line->kind == TICK) {
		if (++seen->ticks > LFSR113_TICKS)
			return refuse(number, "more than 8 ticks");
	} else {
		seen->used++;
	}
	seen->lines++;
	if ((seen->used + seen->skipped) * seen->ways > STEPS)
		return refuse(number, "too many outputs for so many ways to fill the gaps");
	return 0;
}

/* One way to fill the gaps; false if no state fits. */
static bool seen_try(const struct seen *seen, uint64_t way, struct lfsr113_solver *solver)
{
	int i;

	lfsr113_start(solver);
	for (i = 0; i < seen->lines && !solver->contradictions; i++) {
		const struct observation *line = &seen->line[i];
		uint64_t choices = line->b - line->a + 1ULL, n;

		switch (line->kind) {
		case SKIP:
		case GAP:
			for (n = line->a + way % choices; n; n--)
				lfsr113_advance(solver);
			way /= choices;
			break;
		case TICK:
			lfsr113_tick(solver);
			break;
		default:
			lfsr113_advance(solver);
			observe_see(solver, line);
		}
	}
	return !solver->contradictions;
}

static int seen_solve(const struct seen *seen)
{
	static struct lfsr113_solver solver, found;
	uint32_t next[SHOWN];
	struct lfsr113 state;
	uint64_t way, fits = 0;
	int i;

	for (way = 0; way < seen->ways; way++) {
		if (!seen_try(seen, way, &solver))
			continue;
		found = solver;
		fits++;
	}
	if (!seen->used)
		return refuse(0, "no observation");
	if (!fits)
		return refuse(0, "inconsistent: no state of an LFSR113 puts this out");
	if (fits > 1)
		return refuse(0, "several ways to fill the gaps fit: more observations are needed");
	lfsr113_solve(&found, &state);
	solver = found;
	for (i = 0; i < SHOWN; i++) {
		lfsr113_advance(&solver);
		if (!lfsr113_predict(&solver, &next[i]))
			return refuse(0, "too few observations to tell the next outputs");
	}
	printf("observations %d, rank %d\n", seen->used, found.rank);
	printf("state %08x %08x %08x %08x before the first\n",
	       state.s[0], state.s[1], state.s[2], state.s[3]);
	for (i = 0; i < SHOWN; i++)
		printf("next %08x\n", next[i]);
	return 0;
}

static int solve(FILE *in)
{
	struct seen seen = { .ways = 1 };
	unsigned int number = 0;
	char text[128];
	int error = 0;

	seen.line = calloc(LINES, sizeof(*seen.line));
	if (!seen.line)
		return refuse(0, "no memory");
	while (!error && fgets(text, sizeof(text), in)) {
		const char *at = text + strspn(text, " \t\r\n");

		number++;
		if (strlen(text) == sizeof(text) - 1)
			error = refuse(number, "longer than 126 characters");
		else if (number > LINES)
			error = refuse(number, "more than 65536 lines");
		else if (*at && *at != '#')
			error = seen_add(&seen, at, number);
	}
	if (!error)
		error = ferror(in) ? refuse(0, "cannot read the input") : seen_solve(&seen);
	free(seen.line);
	return error;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *in = size ? fmemopen((void *)data, size, "r") : NULL;

	if (in) {
		solve(in);
		fclose(in);
	}
	return 0;
}
#else
int main(int argc, char **argv)
{
	FILE *in = argc == 2 ? fopen(argv[1], "r") : stdin;

	if (argc > 2)
		return refuse(0, "usage: solve [FILE]");
	if (!in)
		return refuse(0, "cannot open the file");
	return solve(in);
}
#endif
