/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What has been seen of an output, as equations for lfsr113.h
 */
#ifndef OBSERVE_H
#define OBSERVE_H

#include "lfsr113.h"

enum kind { WORD, TOP, LOW, RANGE, SKIP, GAP, TICK, KINDS };

/* @a and @b: bits, bounds of a range, or fewest and most outputs not seen. */
struct observation {
	enum kind kind;
	uint32_t a, b, value;
};

/* What a draw @x shows to one who observes as @observation says. */
static inline uint32_t observe(const struct observation *observation, uint32_t x)
{
	switch (observation->kind) {
	case TOP: return x >> (32 - observation->a);
	case LOW: return x & (0xffffffff >> (32 - observation->a));
	case RANGE: return observation->a +
		((uint64_t)x * (observation->b - observation->a + 1ULL) >> 32);
	default: return x;
	}
}

/* The present output is as observed.  Of a range, the bits that all its x share. */
static inline void observe_see(struct lfsr113_solver *solver,
			       const struct observation *observation)
{
	uint64_t least = observation->value, most = observation->value, n;
	int bit;

	switch (observation->kind) {
	case TOP:
		least <<= 32 - observation->a;
		most = least | ((1ULL << (32 - observation->a)) - 1);
		break;
	case LOW:
		for (bit = 0; bit < (int)observation->a; bit++)
			lfsr113_see_bit(solver, bit, least >> bit & 1);
		return;
	case RANGE:
		n = observation->b - observation->a + 1ULL;
		least -= observation->a;
		most = (((least + 1) << 32) + n - 1) / n - 1;
		least = ((least << 32) + n - 1) / n;
		break;
	default:
		break;
	}
	for (bit = 31; bit >= 0 && !((least ^ most) >> bit & 1); bit--)
		lfsr113_see_bit(solver, bit, least >> bit & 1);
}

#endif
