// SPDX-License-Identifier: GPL-2.0
/*
 * What callers of random numbers cost, end to end
 *
 * Runs as /init of a guest whose time is QEMU's -icount: the cycle counter
 * counts instructions.  Each figure is the mean over batches without the dearest
 * of them: those are where a tick fell into, whereas the entropy pool's refill
 * of a batch of numbers, once in 16, has to count.
 */
#include <netinet/in.h>
#include <sys/socket.h>

#include "guest.h"

static uint64_t cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

enum { BATCHES = 1001, KEPT = BATCHES - BATCHES / 20 };

/* Instructions of @calls calls of @work. */
static double mean(void (*work)(void), unsigned int calls)
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

static void report(const char *name, double per_op)
{
	printf("siprand-bench: %s %.1f\n", name, per_op);
}

static void null_syscall(void)
{
	long ret;

	__asm__ volatile("syscall" : "=a" (ret) : "0" (SYS_getppid) : "rcx", "r11", "memory");
}

static void nothing(void)
{
	__asm__ volatile("");
}

static int draws;

static void run_draws(void)
{
	guest_run(draws);
}

static void bpf_helper(void)
{
	enum { MANY = 257, FEW = 1 };
	double many, few;

	draws = guest_load_draws(MANY);
	many = mean(run_draws, 1);
	draws = guest_load_draws(FEW);
	few = mean(run_draws, 1);
	report("bpf_helper", (many - few) / (MANY - FEW));
}

static struct sockaddr_in here = { .sin_family = AF_INET };
static int listening, sender, receiver;

static int bound(int type)
{
	socklen_t size = sizeof(here);
	int fd = socket(AF_INET, type, 0);

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	here.sin_port = 0;
	if (fd < 0 || bind(fd, (struct sockaddr *)&here, size) ||
	    getsockname(fd, (struct sockaddr *)&here, &size))
		guest_fail("socket");
	return fd;
}

/* Reset on close, so that no connection is left waiting. */
static void connection(void)
{
	const struct linger reset = { .l_onoff = 1 };
	int from = socket(AF_INET, SOCK_STREAM, 0), to;

	if (from < 0 || connect(from, (struct sockaddr *)&here, sizeof(here)))
		guest_fail("connect");
	to = accept(listening, NULL, NULL);
	if (to < 0)
		guest_fail("accept");
	setsockopt(from, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(from);
	close(to);
}

static void datagram(void)
{
	char byte = 0;

	if (send(sender, &byte, 1, 0) != 1 || recv(receiver, &byte, 1, 0) != 1)
		guest_fail("datagram");
}

static void network(void)
{
	listening = bound(SOCK_STREAM);
	if (listen(listening, 16))
		guest_fail("listen");
	report("connection", mean(connection, 1));

	receiver = bound(SOCK_DGRAM);
	sender = socket(AF_INET, SOCK_DGRAM, 0);
	if (sender < 0 || connect(sender, (struct sockaddr *)&here, sizeof(here)))
		guest_fail("connect");
	report("datagram", mean(datagram, 1));
}

int main(void)
{
	enum { CALLS = 64 };

	guest_pin();
	guest_loopback_up();
	report("null_syscall", (mean(null_syscall, CALLS) - mean(nothing, CALLS)) / CALLS);
	bpf_helper();
	network();
	guest_end();
}
