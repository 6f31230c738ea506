/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting instructions in a guest whose time is QEMU's -icount
 *
 * The cycle counter counts instructions there.  Each figure is the mean over
 * batches without the dearest of them: those are where a tick fell into, whereas
 * the entropy pool's refill of a batch of numbers, once in 16, has to count.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint64_t cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static inline int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

enum { BATCHES = 1001, KEPT = BATCHES - BATCHES / 20 };

/* Instructions of @calls calls of @work. */
static inline double mean(void (*work)(void), unsigned int calls)
{
	uint64_t took[BATCHES], sum = 0;
	unsigned int i, call;

	for (i = 0; i < BATCHES; i++) {
		uint64_t start = cycles();

		for (call = 0; call < calls; call++)
			work();
		took[i] = cycles() - start;
	}
	qsort(took, BATCHES, sizeof(*took), compare);
	for (i = 0; i < KEPT; i++)
		sum += took[i];
	return (double)sum / KEPT;
}

static inline void report(const char *name, double per_op)
{
	printf("siprand-bench: %s %.1f\n", name, per_op);
}

#endif
