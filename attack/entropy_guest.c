// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic for the noise hooks, and what they stirred in while it lasted
 *
 * Runs as /init of a kernel with record-noise.patch, which keeps the first
 * words of each hook.  Each phase ends when the hook it is for has filled its
 * record; then that record is printed, a line `phase hook a b c d` for each time.
 */
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "../bench/guest.h"

enum { RECORDS = 4, SIZE = 8192, LARGEST = 1400, PORT = 4000 };

/* As in the patch. */
static struct {
	char hook[32];
	uint64_t count;
	uint64_t words[SIZE][4];
} records[RECORDS];

static int noise;

static int find(const char *hook)
{
	int i;

	if (pread(noise, records, sizeof(records), 0) != sizeof(records))
		guest_fail("/proc/siprand_noise");
	for (i = 0; i < RECORDS; i++)
		if (!strcmp(records[i].hook, hook))
			return i;
	errno = ENOENT;
	guest_fail(hook);
}

static void print_record(const char *phase, const char *hook)
{
	int i = find(hook);
	uint64_t n;

	for (n = 0; n < records[i].count; n++) {
		const uint64_t *words = records[i].words[n];

		printf("siprand-noise: %s %s %llx %llx %llx %llx\n", phase, hook,
		       (unsigned long long)words[0], (unsigned long long)words[1],
		       (unsigned long long)words[2], (unsigned long long)words[3]);
	}
	fflush(stdout);
}

static unsigned int below(unsigned int ceiling)
{
	return rand() / (RAND_MAX / ceiling + 1);
}

static char payload[LARGEST];

/* Small packets and full ones are common, others less so. */
static unsigned int length(void)
{
	switch (below(4)) {
	case 0: return 1 + below(80);
	case 1: return LARGEST;
	default: return 1 + below(LARGEST);
	}
}

/* Most packets come close together. */
static void pause_a_little(void)
{
	const struct timespec wait = { .tv_nsec = below(200000) };

	if (!below(8))
		nanosleep(&wait, NULL);
}

static struct sockaddr_in address(const char *host)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	inet_aton(host, &to.sin_addr);
	return to;
}

static int opened(int domain, int type, int protocol)
{
	int fd = socket(domain, type, protocol);

	if (fd < 0)
		guest_fail("socket");
	return fd;
}

static int serving(int type)
{
	const struct sockaddr_in here = address("127.0.0.1");
	const int on = 1;
	int fd = opened(AF_INET, type, 0);

	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, (const struct sockaddr *)&here, sizeof(here)))
		guest_fail("bind");
	return fd;
}

/* Answers on the other CPU, until killed. */
static pid_t serve(int fd, void (*server)(int fd))
{
	pid_t child = fork();
	cpu_set_t cpus;

	if (child < 0)
		guest_fail("fork");
	if (child)
		return child;
	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		guest_fail("sched_setaffinity");
	for (;;)
		server(fd);
}

static void udp_server(int fd)
{
	static char buffer[LARGEST];
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	ssize_t got = recvfrom(fd, buffer, sizeof(buffer), 0, (struct sockaddr *)&from, &size);

	if (got > 0)
		sendto(fd, buffer, got / 2, 0, (struct sockaddr *)&from, size);
}

static void tcp_server(int fd)
{
	static char buffer[LARGEST];
	int peer = accept(fd, NULL, NULL);
	ssize_t got;

	while ((got = recv(peer, buffer, sizeof(buffer), 0)) > 0)
		if (send(peer, buffer, got / 2 + 1, 0) < 0)
			break;
	close(peer);
}

/* One exchange; a new port every few. */
static void udp(int *fd)
{
	struct sockaddr_in to = address("127.0.0.1");

	if (*fd < 0 || !below(16)) {
		if (*fd >= 0)
			close(*fd);
		*fd = opened(AF_INET, SOCK_DGRAM, 0);
	}
	sendto(*fd, payload, length(), 0, (struct sockaddr *)&to, sizeof(to));
	/* A lost answer is no reason to wait. */
	recv(*fd, payload, sizeof(payload), MSG_DONTWAIT);
}

static void tcp(int *fd)
{
	struct sockaddr_in to = address("127.0.0.1");

	if (*fd < 0 || !below(16)) {
		if (*fd >= 0)
			close(*fd);
		*fd = opened(AF_INET, SOCK_STREAM, 0);
		if (connect(*fd, (struct sockaddr *)&to, sizeof(to)))
			guest_fail("connect");
	}
	if (send(*fd, payload, length(), 0) < 0 || recv(*fd, payload, sizeof(payload), 0) <= 0)
		guest_fail("tcp");
}

static void one_way(int *fd)
{
	struct sockaddr_in to = address("10.0.0.2");

	if (*fd < 0)
		*fd = opened(AF_INET, SOCK_DGRAM, 0);
	if (sendto(*fd, payload, length(), 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		guest_fail("sendto");
}

static void direct(int *fd)
{
	const struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_ifindex = if_nametoindex("dummy0"),
		.sll_halen = ETH_ALEN,
	};
	const int on = 1;

	if (*fd < 0) {
		*fd = opened(AF_PACKET, SOCK_DGRAM, 0);
		if (setsockopt(*fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof(on)))
			guest_fail("PACKET_QDISC_BYPASS");
	}
	if (sendto(*fd, payload, length(), 0, (const struct sockaddr *)&to, sizeof(to)) < 0)
		guest_fail("sendto");
}

static void idle(int *fd)
{
	const struct timespec wait = { .tv_nsec = 100000000 };

	(void)fd;
	nanosleep(&wait, NULL);
}

static const struct phase {
	const char *name, *hook;
	void (*step)(int *fd);
	int server;	/* type of its socket, 0 without one */
} phases[] = {
	{ "udp", "xmit_one", udp, SOCK_DGRAM },
	{ "tcp", "xmit_one", tcp, SOCK_STREAM },
	{ "one_way", "xmit_one", one_way, 0 },
	{ "direct", "__dev_direct_xmit", direct, 0 },
	{ "idle", "update_process_times", idle, 0 },
	{ "busy", "update_process_times", tcp, SOCK_STREAM },
};

static void run(const struct phase *phase)
{
	int fd = -1, listening = -1, steps = 0;
	pid_t server = 0;

	if (phase->server) {
		listening = serving(phase->server);
		if (phase->server == SOCK_STREAM && listen(listening, 16))
			guest_fail("listen");
		server = serve(listening, phase->server == SOCK_STREAM ? tcp_server : udp_server);
	}
	phase->step(&fd);
	if (write(noise, "", 1) != 1)
		guest_fail("/proc/siprand_noise");
	do {
		phase->step(&fd);
		pause_a_little();
	} while (++steps % 64 || records[find(phase->hook)].count < SIZE);
	print_record(phase->name, phase->hook);
	if (server) {
		kill(server, SIGKILL);
		waitpid(server, NULL, 0);
	}
	close(fd);
	close(listening);
}

static void dummy_up(void)
{
	struct ifreq request = { .ifr_name = "dummy0" };
	struct sockaddr_in here = address("10.0.0.1");
	int fd = opened(AF_INET, SOCK_DGRAM, 0);

	memcpy(&request.ifr_addr, &here, sizeof(here));
	if (ioctl(fd, SIOCSIFADDR, &request))
		guest_fail("dummy0");
	request.ifr_flags = IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request))
		guest_fail("dummy0");
	close(fd);
}

int main(void)
{
	static char buffer[1 << 16];
	size_t i;

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	guest_pin();
	guest_loopback_up();
	dummy_up();
	mkdir("/proc", 0755);
	if (mount("proc", "/proc", "proc", 0, NULL))
		guest_fail("/proc");
	noise = open("/proc/siprand_noise", O_RDWR);
	if (noise < 0)
		guest_fail("/proc/siprand_noise");
	for (i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		run(&phases[i]);
	guest_end();
}
