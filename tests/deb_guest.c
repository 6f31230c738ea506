// SPDX-License-Identifier: GPL-2.0
/*
 * What an installed package has to show: its kernel runs, and draws are traced
 *
 * Runs as /init of the root folder that the package was unpacked to.  Connects
 * to itself, for which the kernel draws a transmit hash, and prints the events.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "../bench/guest.h"

#define EVENT "/tracing/events/random/prandom_u32/enable"

enum { CONNECTIONS = 4 };

static void installed(const char *format, const char *release)
{
	char path[256];

	snprintf(path, sizeof(path), format, release);
	if (access(path, R_OK))
		guest_fail(path);
}

static void write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		guest_fail(path);
	close(fd);
}

/* Nobody listens; what counts is the hash of the socket that tries. */
static void try_to_connect(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		guest_fail("socket");
	if (!connect(fd, (struct sockaddr *)&to, sizeof(to)) || errno != ECONNREFUSED)
		guest_fail("connect");
	close(fd);
}

int main(void)
{
	struct utsname name;
	char line[256];
	int i, events = 0;
	FILE *trace;

	if (uname(&name))
		guest_fail("uname");
	installed("/boot/vmlinuz-%s", name.release);
	installed("/lib/modules/%s/modules.builtin", name.release);
	printf("siprand-deb: release %s\n", name.release);

	mkdir("/tracing", 0755);
	if (mount("tracefs", "/tracing", "tracefs", 0, NULL))
		guest_fail("tracefs");
	guest_loopback_up();
	write_to(EVENT, "1");
	for (i = 0; i < CONNECTIONS; i++)
		try_to_connect();
	write_to(EVENT, "0");

	trace = fopen("/tracing/trace", "r");
	if (!trace)
		guest_fail("trace");
	while (fgets(line, sizeof(line), trace)) {
		events += line[0] != '#';
		printf("siprand-trace: %s", line);
	}
	printf("siprand-deb: events %d\n", events);
	guest_end();
}
