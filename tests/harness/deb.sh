# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# make deb on a kernel whose package is a handful of files, and a guest that plays
# the package's kernel.

d="$work/deb kernel"
new_kernel "$d" 6 12
cat >>"$d/Makefile" <<'EOT'
allnoconfig:
	grep -v '=n$$' '$(KCONFIG_ALLCONFIG)' >$(O)/.config
bzImage:
	mkdir -p $(O)/arch/x86/boot
	: >$(O)/arch/x86/boot/bzImage
	: >$(O)/vmlinux
bindeb-pkg:
	@test -z "$$BREAK" || { echo 'dpkg-deb: error: broken on purpose' >&2; false; }
	rm -rf $(O)/deb
	mkdir -p $(O)/deb/DEBIAN $(O)/deb/boot $(O)/deb/lib/modules/6.12.0-siprand
	printf 'Package: linux-image-6.12.0-siprand\nVersion: 1\nArchitecture: all\nMaintainer: A <a@localhost>\nDescription: small\n' >$(O)/deb/DEBIAN/control
	cp $(O)/arch/x86/boot/bzImage $(O)/deb/boot/vmlinuz-6.12.0-siprand
	cp $(O)/.config $(O)/deb/boot/config-6.12.0-siprand
	test -n "$$EMPTY" || dpkg-deb -b $(O)/deb $(O)/../linux-image-6.12.0-siprand_1_all.deb
EOT
mkdir -p "$mini/tests"
cp "$project/tests/deb_guest.c" "$mini/tests/"
cp -R "$project/bench" "$mini/"
path_without
fake dpkg-query 'echo installed'
fake ccache 'exec "$@"'
fake qemu-system-x86_64 'printf "siprand-deb: release %s\nsiprand-trace: an event\nsiprand-deb: events %s\n" "${RUNS:-6.12.0-siprand}" "${EVENTS:-1}"'
deb() { env PATH="$work/bin" KERNEL="$d" "$@" "$mini/scripts/deb"; }

runs "deb" deb
same "the package is named last" "$(tail -n 1 "$work/out" | sed 's,.*/,,')" linux-image-6.12.0-siprand_1_all.deb
same "its kernel was booted from a root with the package" "$(cpio --quiet -t <"$(dirname "$(tail -n 1 "$work/out")")/root.cpio" | grep -c -x -e boot/vmlinuz-6.12.0-siprand -e init)" 2
fails "a kernel that cannot be packed" "cannot pack: dpkg-deb: error: broken on purpose" deb BREAK=1
fails "no package" "bindeb-pkg left no linux-image-" deb EMPTY=1
fails "another kernel than the package's" "the guest did not run 6.12.0-siprand" deb RUNS=6.1.0
fails "a kernel without the event" "the guest traced no random:prandom_u32" deb EVENTS=0
path_without dpkg-query
fails "deb elsewhere than on Debian" "no dpkg here" deb
