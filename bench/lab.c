// SPDX-License-Identifier: GPL-2.0
/*
 * The lab table: what a SYN answered with a cookie takes, a connection, and the
 * other callers of random numbers
 *
 * Runs as /init of a guest whose cycle counter counts instructions.  Packets go
 * through a TUN device: what is written to it has gone through the whole stack,
 * up to the answer in the device's queue, when write() returns.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "guest.h"
#include "measure.h"

enum {
	/* As many as one refill of the entropy pool's 32-bit numbers is for. */
	BATCH = 24,
	FLOWS = 16 * BATCH,
	PORT = 80,
	HERE = 0x0a000001,	/* 10.0.0.1 */
	CLIENTS = 0x0a010000,	/* 10.1.0.0 and on */
};

struct packet {
	struct iphdr ip;
	struct tcphdr tcp;
	unsigned char mss[4];	/* with a SYN only */
};

static int tun, listening, sender;

/*********************************************************************
 *
 * Measuring.
 *
 * Between two ticks nothing else runs, and what a batch takes is exact, so all
 * batches are placed there.
 *
 *********************************************************************/

enum {
	WINDOWS = 12,
	TICK = 10000000,	/* at 100 Hz */
	SETTLE = 500000,	/* for what a tick sets going */
	INTERRUPTED = 400,	/* more than that is no two reads of the clock */
};

static uint64_t after_tick(void)
{
	uint64_t before = cycles(), after = cycles();

	while (after - before < INTERRUPTED) {
		before = after;
		after = cycles();
	}
	while (cycles() - after < SETTLE)
		;
	return after;
}

/* Mean over @batches batches in each window; what @between does is not counted. */
static double batch_mean(void (*batch)(void), void (*between)(void), unsigned int batches)
{
	uint64_t sum = 0;
	unsigned int window, i;

	for (window = 0; window < WINDOWS; window++) {
		uint64_t tick = after_tick();

		for (i = 0; i < batches; i++) {
			uint64_t start = cycles();

			batch();
			sum += cycles() - start;
			between();
		}
		errno = EOVERFLOW;
		if (cycles() - tick > TICK)
			guest_fail("batches between two ticks");
	}
	return (double)sum / (WINDOWS * batches);
}

static void nothing(void)
{
	__asm__ volatile("");
}

/* Instructions for each of @ops in a batch. */
static void run(const char *name, void (*batch)(void), void (*between)(void),
		unsigned int batches, unsigned int ops)
{
	/* The first ones fill caches of the kernel's. */
	batch_mean(batch, between, batches);
	report(name, (batch_mean(batch, between, batches) -
		      batch_mean(nothing, nothing, 1)) / ops);
}

/*********************************************************************
 *
 * Packets.
 *
 *********************************************************************/

static uint16_t sum_up(uint32_t sum, const void *data, size_t length)
{
	const uint16_t *words = data;

	while (length) {
		sum += *words++;
		length -= 2;
	}
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/* A segment of the @flow-th client. */
static void make(struct packet *packet, unsigned int flow, bool syn)
{
	const uint16_t length = syn ? sizeof(*packet) : offsetof(struct packet, mss);

	*packet = (struct packet){
		.ip = {
			.version = 4,
			.ihl = sizeof(packet->ip) / 4,
			.tot_len = htons(length),
			.frag_off = htons(IP_DF),
			.ttl = 64,
			.protocol = IPPROTO_TCP,
			.saddr = htonl(CLIENTS + flow),
			.daddr = htonl(HERE),
		},
		.tcp = {
			.source = htons(1024 + flow),
			.dest = htons(PORT),
			.seq = htonl(flow << 8),
			.doff = (length - sizeof(packet->ip)) / 4,
			.syn = syn,
			.window = htons(65535),
		},
		.mss = { TCPOPT_MAXSEG, TCPOLEN_MAXSEG, 1460 >> 8, 1460 & 0xff },
	};
	packet->ip.check = sum_up(0, &packet->ip, sizeof(packet->ip));
}

static void seal(struct packet *packet)
{
	const uint16_t segment = ntohs(packet->ip.tot_len) - sizeof(packet->ip);
	const uint32_t pseudo = htons(IPPROTO_TCP) + htons(segment) +
		(packet->ip.saddr & 0xffff) + (packet->ip.saddr >> 16) +
		(packet->ip.daddr & 0xffff) + (packet->ip.daddr >> 16);

	packet->tcp.check = 0;
	packet->tcp.check = sum_up(pseudo, &packet->tcp, segment);
}

static void put(const struct packet *packet)
{
	const uint16_t length = ntohs(packet->ip.tot_len);

	if (write(tun, packet, length) != length)
		guest_fail("write to the device");
}

/* Whether there was one. */
static bool get(struct packet *packet)
{
	char buffer[128];
	ssize_t length = read(tun, buffer, sizeof(buffer));

	if (length < 0 && errno == EAGAIN)
		return false;
	if (length < (ssize_t)offsetof(struct packet, mss))
		guest_fail("read from the device");
	memcpy(packet, buffer, sizeof(*packet));
	return true;
}

/*********************************************************************
 *
 * SYN flood.
 *
 *********************************************************************/

static struct packet syns[FLOWS];
static unsigned int sent, answered;

static void make_syns(void)
{
	unsigned int flow;

	for (flow = 0; flow < FLOWS; flow++) {
		make(&syns[flow], flow, true);
		seal(&syns[flow]);
	}
}

static void flood(void)
{
	unsigned int i;

	for (i = 0; i < BATCH; i++)
		put(&syns[sent++ % FLOWS]);
}

static void count_answers(void)
{
	struct packet packet;

	while (get(&packet)) {
		unsigned int flow = ntohl(packet.ip.daddr) - CLIENTS;

		errno = EPROTO;
		if (!packet.tcp.syn || !packet.tcp.ack || flow >= FLOWS ||
		    ntohl(packet.tcp.ack_seq) != (flow << 8) + 1)
			guest_fail("a SYN's answer");
		answered++;
	}
}

static void measure_flood(const char *name)
{
	enum { BATCHES_PER_TICK = 12 };

	count_answers();
	sent = 0;
	answered = 0;
	run(name, flood, count_answers, BATCHES_PER_TICK, BATCH);
	printf("siprand-lab: %s: %u SYNs, %u SYN-ACKs, %u swallowed\n", name, sent,
	       answered, sent - answered);
	errno = ENOMSG;
	if (!sent || answered != sent)
		guest_fail("an answer to each SYN");
}

/*********************************************************************
 *
 * Connections: the server accepts and closes, the client resets then.
 *
 *********************************************************************/

static void expect(struct packet *packet, bool syn, bool fin)
{
	errno = EPROTO;
	if (!get(packet) || packet->tcp.syn != syn || packet->tcp.fin != fin)
		guest_fail("the server's segment");
}

static void connection(void)
{
	const struct packet *syn = &syns[sent++ % FLOWS];
	struct packet packet, client;
	int fd;

	put(syn);
	expect(&packet, true, false);
	make(&client, ntohs(syn->tcp.source) - 1024, false);
	client.tcp.ack = 1;
	client.tcp.seq = packet.tcp.ack_seq;
	client.tcp.ack_seq = htonl(ntohl(packet.tcp.seq) + 1);
	seal(&client);
	put(&client);
	fd = accept(listening, NULL, NULL);
	if (fd < 0 || close(fd))
		guest_fail("accept");
	expect(&packet, false, true);
	client.tcp.rst = 1;
	seal(&client);
	put(&client);
	answered++;
}

static void connections(void)
{
	unsigned int i;

	for (i = 0; i < BATCH; i++)
		connection();
}

static void measure_connections(const char *name)
{
	struct packet packet;

	sent = 0;
	answered = 0;
	run(name, connections, nothing, 4, BATCH);
	printf("siprand-lab: %s: %u connections\n", name, answered);
	errno = EPROTO;
	if (!answered || get(&packet))
		guest_fail("an end to each connection");
}

/*********************************************************************
 *
 * Other callers.
 *
 *********************************************************************/

static void datagrams(void)
{
	unsigned int i;

	for (i = 0; i < BATCH; i++)
		if (send(sender, "", 1, 0) != 1)
			guest_fail("send");
}

static void discard(void)
{
	char buffer[128];

	while (read(tun, buffer, sizeof(buffer)) > 0)
		;
}

static void null_syscalls(void)
{
	unsigned int i;
	long ret;

	for (i = 0; i < BATCH; i++)
		__asm__ volatile("syscall" : "=a" (ret) : "0" (SYS_getppid) :
				 "rcx", "r11", "memory");
}

static int program;

static void run_program(void)
{
	guest_run(program);
}

static double program_mean(unsigned int draws)
{
	double result;

	program = guest_load_draws(draws);
	batch_mean(run_program, nothing, BATCH);
	result = batch_mean(run_program, nothing, BATCH);
	close(program);
	return result;
}

static void measure_helper(void)
{
	enum { MANY = 257, FEW = 1 };

	report("bpf_helper", (program_mean(MANY) - program_mean(FEW)) / (MANY - FEW));
}

/* Drops all packets but about one in 2^20, which it samples. */
static void attach_sampling(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_prandom_u32 },
		{ .code = BPF_ALU | BPF_AND | BPF_K, .imm = (1 << 20) - 1 },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .off = 2 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = XDP_DROP },
		{ .code = BPF_JMP | BPF_EXIT },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(*insns),
		.license = (uintptr_t)"GPL",
	};
	union bpf_attr link = {
		.link_create.target_ifindex = if_nametoindex("t0"),
		.link_create.attach_type = BPF_XDP,
	};

	link.link_create.prog_fd = guest_bpf(BPF_PROG_LOAD, &attr);
	if ((int)link.link_create.prog_fd < 0 || guest_bpf(BPF_LINK_CREATE, &link) < 0)
		guest_fail("XDP");
}

static void measure_sampling(void)
{
	attach_sampling();
	count_answers();
	sent = 0;
	answered = 0;
	run("xdp_sample", flood, count_answers, BATCH, BATCH);
	errno = EPROTO;
	if (!sent || answered > sent / 1000)
		guest_fail("XDP drops");
}

/*********************************************************************
 *
 * The guest.
 *
 *********************************************************************/

static void set(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		guest_fail(path);
	close(fd);
}

static void make_device(void)
{
	struct ifreq request = { .ifr_name = "t0", .ifr_flags = IFF_TUN | IFF_NO_PI };
	struct sockaddr_in *address = (struct sockaddr_in *)&request.ifr_addr;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (mknod("/tun", S_IFCHR | 0600, makedev(10, 200)))
		guest_fail("/tun");
	tun = open("/tun", O_RDWR | O_NONBLOCK);
	if (tun < 0 || ioctl(tun, TUNSETIFF, &request))
		guest_fail("TUNSETIFF");

	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(HERE);
	if (ioctl(fd, SIOCSIFADDR, &request))
		guest_fail("SIOCSIFADDR");
	address->sin_addr.s_addr = htonl(IN_CLASSA_NET);
	if (ioctl(fd, SIOCSIFNETMASK, &request))
		guest_fail("SIOCSIFNETMASK");
	request.ifr_flags = IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request))
		guest_fail("SIOCSIFFLAGS");
	close(fd);
}

static void make_sockets(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
		.sin_addr.s_addr = htonl(HERE),
	};
	const socklen_t size = sizeof(address);

	listening = socket(AF_INET, SOCK_STREAM, 0);
	if (listening < 0 || bind(listening, (struct sockaddr *)&address, size) ||
	    listen(listening, 128))
		guest_fail("listen");

	address.sin_addr.s_addr = htonl(CLIENTS);
	sender = socket(AF_INET, SOCK_DGRAM, 0);
	if (sender < 0 || connect(sender, (struct sockaddr *)&address, size))
		guest_fail("connect");
}

static bool pool_ready(void)
{
	char byte;

	return getrandom(&byte, sizeof(byte), GRND_NONBLOCK) == sizeof(byte);
}

/* Cookies for all, or for none. */
static void measure_server(const char *syncookie, const char *connection)
{
	static const char cookies[] = "/proc/sys/net/ipv4/tcp_syncookies";

	set(cookies, "2");
	measure_flood(syncookie);
	set(cookies, "0");
	measure_connections(connection);
}

/* Each batch after a sign from outside, where somebody looks at what is executed. */
static void be_watched(unsigned int batches)
{
	char line[2];
	unsigned int i;

	set("/proc/sys/net/ipv4/tcp_syncookies", "2");
	for (i = 0; i < batches; i++) {
		printf("siprand-lab: %u SYNs\n", sent);
		fflush(stdout);
		if (read(STDIN_FILENO, line, sizeof(line)) < 1)
			guest_fail("a line on the console");
		after_tick();
		flood();
		discard();
	}
}

int main(void)
{
	const char *watched = getenv("WATCHED");
	char byte;

	guest_pin();
	mkdir("/proc", 0555);
	mkdir("/sys", 0555);
	if (mount("proc", "/proc", "proc", 0, NULL) || mount("sysfs", "/sys", "sysfs", 0, NULL))
		guest_fail("mount");
	make_device();
	make_sockets();
	make_syns();
	if (watched) {
		be_watched(atoi(watched));
		guest_end();
	}

	errno = EALREADY;
	if (pool_ready())
		guest_fail("the entropy pool is ready");
	measure_server("syncookie_unready", "connection_unready");
	errno = EALREADY;
	if (pool_ready())
		guest_fail("the entropy pool became ready");

	getrandom(&byte, sizeof(byte), 0);
	errno = EAGAIN;
	if (!pool_ready())
		guest_fail("the entropy pool is not ready");
	measure_server("syncookie", "connection");

	/* A hash of each packet, as if there were more CPUs to steer it to. */
	set("/sys/class/net/t0/queues/rx-0/rps_cpus", "1");
	measure_server("syncookie_hashed", "connection_hashed");
	set("/sys/class/net/t0/queues/rx-0/rps_cpus", "0");

	run("udp", datagrams, discard, BATCH, BATCH);
	run("null_syscall", null_syscalls, nothing, BATCH, BATCH);
	measure_helper();
	measure_sampling();
	guest_end();
}
