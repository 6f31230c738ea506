// SPDX-License-Identifier: GPL-2.0
/*
 * Where linear tools stop working: bits of a draw whose linear complexity shows
 * over 2^16 outputs, by width and rounds per draw
 *
 * Prints CSV.
 */
#include <stdio.h>

#include "model.h"
#include "statistics.h"

/* Random bits are further than this from half of their number with p < 2^-60. */
enum { COUNT = 1 << 16, NEAR = 32 };

static void edge(const char *name, int width, int halves)
{
	static uint8_t bits[32][COUNT];
	unsigned int least = COUNT, low = 0, l;
	struct model model;
	int i, bit;

	model_key(&model, halves < 0 ? TAUSWORTHE : width == 64 ? SIPRAND64 : SIPRAND32, 1);
	for (i = 0; i < COUNT; i++) {
		uint32_t out = halves < 0 ? model_next(&model) :
			model_draw(model.v, model.n, width, halves);

		for (bit = 0; bit < 32; bit++)
			bits[bit][i] = out >> bit & 1;
	}
	for (bit = 0; bit < 32; bit++) {
		l = linear_complexity(bits[bit], COUNT, NULL);
		low += l < COUNT / 2 - NEAR;
		least = l < least ? l : least;
	}
	printf("%s,%d,%s,%u,%u,32\n", name, width,
	       halves < 0 ? "" : halves == 1 ? "0.5" : halves == 4 ? "2" : halves ? "1" : "0",
	       least, low);
	fflush(stdout);
}

int main(void)
{
	static const int halves[] = { 0, 1, 2, 4 };
	int i;

	puts("generator,width,rounds,least complexity of 65536,bits low,of");
	edge("tausworthe", 32, -1);
	for (i = 0; i < 4; i++)
		edge("siprand64", 64, halves[i]);
	for (i = 0; i < 4; i++)
		edge("siprand32", 32, halves[i]);
	return 0;
}
