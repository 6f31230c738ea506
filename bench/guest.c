// SPDX-License-Identifier: GPL-2.0
/*
 * What callers of random numbers cost, end to end
 *
 * Runs as /init of a guest, see measure.h for how it counts.
 */
#include <netinet/in.h>
#include <sys/socket.h>

#include "guest.h"
#include "measure.h"

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
