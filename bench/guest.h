/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs that run as /init of a guest share
 */
#ifndef GUEST_H
#define GUEST_H

#include <errno.h>
#include <linux/bpf.h>
#include <net/if.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Ends the guest; QEMU is told not to start it again. */
static inline void __attribute__((noreturn)) guest_end(void)
{
	fflush(NULL);
	sync();
	reboot(RB_AUTOBOOT);
	exit(1);
}

static inline void __attribute__((noreturn)) guest_fail(const char *what)
{
	printf("siprand-guest: error: %s: %s\n", what, strerror(errno));
	guest_end();
}

/* States are per CPU: stay on one. */
static inline void guest_pin(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		guest_fail("sched_setaffinity");
}

static inline void guest_loopback_up(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
		guest_fail("lo");
	close(fd);
}

static inline long guest_bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* Loads a program that draws @calls times and returns what it drew last. */
static inline int guest_load_draws(unsigned int calls)
{
	struct bpf_insn insns[calls + 1];
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insns = (uintptr_t)insns,
		.insn_cnt = calls + 1,
		.license = (uintptr_t)"GPL",
	};
	unsigned int i;
	int fd;

	for (i = 0; i < calls; i++)
		insns[i] = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
					      .imm = BPF_FUNC_get_prandom_u32 };
	insns[calls] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	fd = guest_bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0)
		guest_fail("BPF_PROG_LOAD");
	return fd;
}

/* Runs it on a packet of zeros. */
static inline uint32_t guest_run(int fd)
{
	static unsigned char packet[64];
	union bpf_attr attr = {
		.test = {
			.prog_fd = fd,
			.data_in = (uintptr_t)packet,
			.data_size_in = sizeof(packet),
			.repeat = 1,
		},
	};

	if (guest_bpf(BPF_PROG_TEST_RUN, &attr))
		guest_fail("BPF_PROG_TEST_RUN");
	return attr.test.retval;
}

#endif
