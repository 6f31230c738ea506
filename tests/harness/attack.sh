# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# The two kernels of make attack-guest, played by one script that tells them
# apart by the kernel it is given, and each patch built alone.

g="$work/guest kernel"
new_kernel "$g" 6 12
cat >>"$g/Makefile" <<'EOT'
allnoconfig:
	grep -v '=n$$' '$(KCONFIG_ALLCONFIG)' >$(O)/.config
linux bzImage:
	@test -z "$$BREAK" || ! grep -q "$$BREAK" lib/Makefile || { echo 'one.c:1:2: error: broken on purpose' >&2; false; }
	mkdir -p $(O)/arch/x86/boot
	: >$(O)/arch/x86/boot/bzImage
	: >$(O)/linux
EOT
cp -R "$project/attack" "$project/bench" "$mini/"
path_without
fake dpkg-query 'echo installed'
fake ccache 'exec "$@"'
fake qemu-system-x86_64 'case "$*" in *pristine*) hits=$PRISTINE_HITS ;; *) hits=$PATCHED_HITS ;; esac
[ -n "$hits" ] || { echo "siprand-guest: error: BPF_PROG_LOAD: Operation not permitted"; exit 0; }
echo "siprand-attack: control 1000 of 1000, rank 113"
echo "siprand-attack: bpf $hits of 1000, rank 113"'
attack() { env PATH="$work/bin" KERNEL="$g" PRISTINE_HITS="$1" PATCHED_HITS="$2" "$mini/scripts/attack-guest"; }
last() { tail -n 1 "$work/out"; }

runs "attack-guest where the hole is closed" attack 1000 0
same "it counts both kernels and the control" "$(last)" "3 passed, 0 failed"
attack 1000 1000 >"$work/out" 2>/dev/null && status=0 || status=$?
same "attack-guest where the hole is open" "$status $(last)" "1 2 passed, 1 failed"
attack 0 0 >"$work/out" 2>/dev/null && status=0 || status=$?
same "attack-guest that breaks nothing proves nothing" "$status $(last)" "1 2 passed, 1 failed"
attack '' 0 >"$work/out" 2>"$work/err" && status=0 || status=$?
same "attack-guest whose program fails" "$status $(grep -c '^siprand: error: BPF_PROG_LOAD: Operation not permitted; see ' "$work/err")" "1 1"

each() { env PATH="$work/bin" ARCH=um KERNEL="$g" "$@" "$mini/scripts/each"; }
total=$(grep -c . "$mini/patches/6.12/series")
each BREAK=siprand.o >"$work/out" 2>/dev/null && status=0 || status=$?
same "each where the first patch breaks the build" "$status $(last)" "1 0 passed, $total failed"
runs "each" each
same "each counts the patches" "$(last)" "$total passed, 0 failed"
