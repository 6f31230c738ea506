// SPDX-License-Identifier: GPL-2.0
/*
 * What numbers drawn per packet cost, from the system call to the device
 *
 * Runs as /init of a guest, see measure.h for how it counts.  Each test sets up
 * a path with the usual tools and sends datagrams along it; before most of them
 * comes one of the same path that draws nothing.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>

#include "guest.h"
#include "measure.h"

enum {
	COMMANDS = 7,		/* at most; a list ends with the first NULL */
	PORT = 9,		/* what is measured goes there */
	/* As many as one refill of the entropy pool's 32-bit numbers is for. */
	DATAGRAMS = 24,
};

/* A path from here to 10.0.0.2, and how to get it into the state to measure. */
struct test {
	const char *name;
	const char *device;	/* towards 10.0.0.2, if not the dummy device d0 */
	const char *setup[COMMANDS];	/* before @device is up */
	bool (*prepare)(void);	/* what no tool can do; false if the kernel cannot */
	unsigned int filling;	/* datagrams of other flows to send in advance */
	unsigned int seconds;	/* how long these wait */
	const char *filled[COMMANDS];	/* after that */
	const char *teardown[COMMANDS];	/* of all but d0 */
};

/* Words are split at spaces; @last is one more. */
static void run(const char *command, char *last)
{
	enum { SIZE = 256, WORDS = 40 };
	char line[SIZE], *rest = line, *words[WORDS + 2];
	int count = 0, status;
	pid_t tool;

	snprintf(line, SIZE, "%s", command);
	while (rest && count < WORDS)
		words[count++] = strsep(&rest, " ");
	words[count++] = last;
	words[count] = NULL;
	errno = posix_spawnp(&tool, words[0], NULL, NULL, words, environ);
	if (errno || waitpid(tool, &status, 0) != tool)
		guest_fail(command);
	errno = ECANCELED;
	if (status)
		guest_fail(command);
}

static void run_all(const char *const commands[])
{
	int i;

	for (i = 0; i < COMMANDS && commands[i]; i++)
		run(commands[i], NULL);
}

/* Debian's tc is older than the queue, which has to drop on arrival here. */
static bool dualpi2(void)
{
	enum { CHILD_OF_TBF = 0x10001, DROP_EARLY = 12 };
	struct {
		struct nlmsghdr header;
		struct tcmsg queue;
		struct rtattr kind;
		char name[sizeof("dualpi2")];
		struct rtattr options, early;
		unsigned char on_arrival[RTA_ALIGN(1)];
	} request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = RTM_NEWQDISC,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE,
		},
		.queue = {
			.tcm_ifindex = if_nametoindex("d0"),
			.tcm_parent = CHILD_OF_TBF,
		},
		.kind = { .rta_len = RTA_LENGTH(sizeof(request.name)), .rta_type = TCA_KIND },
		.name = "dualpi2",
		.options = { .rta_len = RTA_LENGTH(RTA_SPACE(1)),
			     .rta_type = TCA_OPTIONS | NLA_F_NESTED },
		.early = { .rta_len = RTA_LENGTH(1), .rta_type = DROP_EARLY },
		.on_arrival = { true },
	};
	struct {
		struct nlmsghdr header;
		struct nlmsgerr result;
		char text[512];
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	if (fd < 0 || send(fd, &request, sizeof(request), 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), 0) < 0)
		guest_fail("dualpi2");
	close(fd);
	errno = -answer.result.error;
	if (errno && errno != ENOENT)
		guest_fail("dualpi2");
	return !errno;
}

/* Two sockets share what leaves through d0, until it is deleted. */
static bool fanout(int mode)
{
	const struct sockaddr_ll from = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex("d0"),
	};
	const int group = mode << 16 | mode;
	int i, fd;

	for (i = 0; i < 2; i++) {
		fd = socket(AF_PACKET, SOCK_RAW, 0);
		if (fd < 0 || bind(fd, (const struct sockaddr *)&from, sizeof(from)) ||
		    setsockopt(fd, SOL_PACKET, PACKET_FANOUT, &group, sizeof(group)))
			guest_fail("fanout");
	}
	return true;
}

static bool fanout_in_turn(void)
{
	return fanout(PACKET_FANOUT_LB);
}

static bool fanout_random(void)
{
	return fanout(PACKET_FANOUT_RND);
}

static struct sockaddr_in target = { .sin_family = AF_INET };
static int sender;

/* A full queue must not stop a sender. */
static int udp_socket(void)
{
	const int size = 1 << 24;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		guest_fail("socket");
	return fd;
}

static void fill(unsigned int datagrams)
{
	enum { PORTS = 50000 };
	int fd = udp_socket();
	unsigned int i;

	for (i = 0; i < datagrams; i++) {
		target.sin_port = htons(PORT + 1 + i % PORTS);
		if (sendto(fd, "", 1, MSG_DONTWAIT, (struct sockaddr *)&target,
			   sizeof(target)) != 1)
			guest_fail("sendto");
	}
	close(fd);
}

static void datagram(void)
{
	if (send(sender, "", 1, MSG_DONTWAIT) != 1)
		guest_fail("send");
}

static double datagrams(void)
{
	double result;

	sender = udp_socket();
	target.sin_port = htons(PORT);
	if (connect(sender, (struct sockaddr *)&target, sizeof(target)))
		guest_fail("connect");
	/* The first ones also find the route and the neighbour. */
	mean(datagram, 1);
	result = mean(datagram, DATAGRAMS) / DATAGRAMS;
	close(sender);
	return result;
}

static void measure(const struct test *test)
{
	const struct timespec wait = { .tv_sec = test->seconds };
	char device[IFNAMSIZ];

	snprintf(device, sizeof(device), "%s", test->device ? test->device : "d0");
	run("ip link add d0 type dummy", NULL);
	run_all(test->setup);
	run("ip address add 10.0.0.1/24 dev", device);
	run("ip link set up dev", device);
	run("ip neighbour add 10.0.0.2 lladdr 02:00:00:00:00:02 nud permanent dev", device);
	if (!test->prepare || test->prepare()) {
		fill(test->filling);
		nanosleep(&wait, NULL);
		run_all(test->filled);
		report(test->name, datagrams());
	}
	run_all(test->teardown);
	run("ip link delete d0", NULL);
}

#define PRIO "tc qdisc add dev d0 root handle 1: prio"
#define FILTER "tc filter add dev d0 parent 1: protocol ip "

/* A packet has 344 bits: at 100bit none leaves while there is measured. */
#define TBF "tc qdisc add dev d0 root handle 1: tbf burst 1540 limit 10000 rate "
#define STANDING TBF "100bit"
#define BELOW_TBF "tc qdisc add dev d0 parent 1:1 "
#define SHOW_QUEUES "tc -s qdisc show dev d0"

#define NFT_RULE "nft add table ip t ; " \
	"add chain ip t c { type filter hook output priority 0 ; } ; add rule ip t c "
#define NFT_SHOW "nft list ruleset"
#define NFT_FLUSH "nft flush ruleset"

#define IPVS_SERVICE "ipvsadm -A -u 10.0.0.2:9 -o -s "
#define IPVS_SERVER "ipvsadm -a -u 10.0.0.2:9 -g -r "

#define OVS_FLOW "ovs-dpctl add-flow dp0 in_port(0),eth(),eth_type(0x0800),ipv4() "

#define BOND "ip link add b0 type bond mode balance-rr packets_per_slave "
#define ADD_TEAM "ip link add t0 type team"
#define ADD_D1 "ip link add d1 type dummy"
#define DELETE_D1 "ip link delete d1"
#define SHOW_LINKS "ip -s link show type dummy"

static const struct test tests[] = {
	{ .name = "dummy" },

	{ .name = "gact_determ",
	  .setup = { PRIO, FILTER "matchall action pass random determ pass 2" },
	},
	{ .name = "gact_random",
	  .setup = { PRIO, FILTER "matchall action pass random netrand pass 2" },
	},
	{ .name = "sample",
	  .setup = { PRIO, FILTER "matchall action sample rate 1000000 group 1" },
	},
	{ .name = "ematch_mark",
	  .setup = { PRIO, FILTER "basic match meta(nf_mark lt 1) classid 1:1" },
	},
	{ .name = "ematch_random",
	  .setup = { PRIO, FILTER "basic match meta(random gt 0) classid 1:1" },
	},

	{ .name = "nft_mark",
	  .setup = { NFT_RULE "meta mark 0 counter" },
	  .teardown = { NFT_SHOW, NFT_FLUSH },
	},
	{ .name = "nft_random",
	  .setup = { NFT_RULE "meta random != 0 counter" },
	  .teardown = { NFT_SHOW, NFT_FLUSH },
	},
	{ .name = "numgen_inc",
	  .setup = { NFT_RULE "numgen inc mod 2 0 counter" },
	  .teardown = { NFT_SHOW, NFT_FLUSH },
	},
	{ .name = "numgen_random",
	  .setup = { NFT_RULE "numgen random mod 2 0 counter" },
	  .teardown = { NFT_SHOW, NFT_FLUSH },
	},
	{ .name = "statistic_nth",
	  .setup = { "iptables-nft -A OUTPUT -m statistic --mode nth --every 2 --packet 0" },
	  .teardown = { NFT_SHOW, NFT_FLUSH },
	},
	{ .name = "statistic_random",
	  .setup = { "iptables-nft -A OUTPUT -m statistic --mode random --probability 0.5" },
	  .teardown = { NFT_SHOW, NFT_FLUSH },
	},

	{ .name = "ipvs_rr",
	  .setup = { IPVS_SERVICE "rr", IPVS_SERVER "10.0.0.3:9", IPVS_SERVER "10.0.0.4:9" },
	  .teardown = { "ipvsadm -C" },
	},
	{ .name = "ipvs_twos",
	  .setup = { IPVS_SERVICE "twos", IPVS_SERVER "10.0.0.3:9", IPVS_SERVER "10.0.0.4:9" },
	  .teardown = { "ipvsadm -C" },
	},

	{ .name = "ovs_output",
	  .device = "dp0",
	  .setup = { "ovs-dpctl add-dp dp0", "ovs-dpctl add-if dp0 d0",
		     "ip link set d0 up", OVS_FLOW "1" },
	  .teardown = { "ovs-dpctl dump-flows dp0", SHOW_LINKS, "ovs-dpctl del-dp dp0" },
	},
	{ .name = "ovs_sample",
	  .device = "dp0",
	  .setup = { "ovs-dpctl add-dp dp0", "ovs-dpctl add-if dp0 d0",
		     "ip link set d0 up", OVS_FLOW "sample(sample=99%,actions(1))" },
	  .teardown = { "ovs-dpctl dump-flows dp0", SHOW_LINKS, "ovs-dpctl del-dp dp0" },
	},

	{ .name = "fanout_lb",
	  .prepare = fanout_in_turn,
	},
	{ .name = "fanout_rnd",
	  .prepare = fanout_random,
	},

	{ .name = "bond_rr",
	  .device = "b0",
	  .setup = { BOND "1", ADD_D1, "ip link set d0 master b0",
		     "ip link set d1 master b0" },
	  .teardown = { SHOW_LINKS, "ip link delete b0", DELETE_D1 },
	},
	{ .name = "bond_random",
	  .device = "b0",
	  .setup = { BOND "0", ADD_D1, "ip link set d0 master b0",
		     "ip link set d1 master b0" },
	  .teardown = { SHOW_LINKS, "ip link delete b0", DELETE_D1 },
	},
	{ .name = "team_rr",
	  .device = "t0",
	  .setup = { ADD_TEAM, "teamnl t0 setoption mode roundrobin",
		     ADD_D1, "ip link set d0 master t0", "ip link set d1 master t0" },
	  .teardown = { SHOW_LINKS, "ip link delete t0", DELETE_D1 },
	},
	{ .name = "team_random",
	  .device = "t0",
	  .setup = { ADD_TEAM, "teamnl t0 setoption mode random",
		     ADD_D1, "ip link set d0 master t0", "ip link set d1 master t0" },
	  .teardown = { SHOW_LINKS, "ip link delete t0", DELETE_D1 },
	},

	/* A full queue: drops without a draw. */
	{ .name = "tbf",
	  .setup = { STANDING },
	  .filling = 1000,
	  .teardown = { SHOW_QUEUES },
	},
	/* Just below the maximum, so that nearly all are dropped by chance. */
	{ .name = "red",
	  .setup = { STANDING,
		     BELOW_TBF "red limit 6300 min 300 max 6400 avpkt 43 probability 0.99" },
	  .filling = 5000,
	  .teardown = { SHOW_QUEUES },
	},
	/* Full of flows other than that of the datagrams, which leave it as it is. */
	{ .name = "choke",
	  .setup = { STANDING, BELOW_TBF "choke limit 100 min 10 max 100 bandwidth 10mbit" },
	  .filling = 1000,
	  .teardown = { SHOW_QUEUES },
	},
	/* Draws even when it is empty. */
	{ .name = "sfb",
	  .setup = { "tc qdisc add dev d0 root sfb" },
	  .teardown = { SHOW_QUEUES },
	},
	/* Drops all after some seconds, but draws only during the first of them. */
	{ .name = "pie",
	  .setup = { TBF "1kbit", BELOW_TBF "pie" },
	  .filling = 500,
	  .seconds = 2,
	  .teardown = { SHOW_QUEUES },
	},
	/* Draws twice, and drops, as the delay has been far above its target. */
	{ .name = "dualpi2",
	  .setup = { STANDING },
	  .prepare = dualpi2,
	  .filling = 500,
	  .seconds = 2,
	  .teardown = { SHOW_QUEUES },
	},
	/* Draws for a while after overflows. */
	{ .name = "cake",
	  .setup = { "tc qdisc add dev d0 root cake bandwidth 10mbit flowblind memlimit 65536" },
	  .filling = 20000,
	  .filled = { "tc qdisc change dev d0 root cake unlimited" },
	  .teardown = { SHOW_QUEUES },
	},
};

/* What the tools look for. */
static void provide_files(void)
{
	if (mkdir("/proc", 0555) || mount("proc", "/proc", "proc", 0, NULL))
		guest_fail("/proc");
	if (mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3)) ||
	    mknod("/dev/urandom", S_IFCHR | 0444, makedev(1, 9)))
		guest_fail("/dev");
}

int main(void)
{
	char byte;
	size_t i;

	guest_pin();
	provide_files();
	setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", true);
	inet_aton("10.0.0.2", &target.sin_addr);
	/* Until the pool is ready, its numbers come at another cost. */
	getrandom(&byte, sizeof(byte), 0);
	for (i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		measure(&tests[i]);
	guest_end();
}
