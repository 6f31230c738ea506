# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# make kunit from end to end on a kernel whose build is a copy and whose guest
# prints a recorded log: stages, resumption, and what goes wrong between.

k="$work/fake kernel"
new_kernel "$k" 6 12
cat >>"$k/Makefile" <<'EOT'
allnoconfig:
	grep -v -e '=n$$' -e "$${LOSE:-NONE}" '$(KCONFIG_ALLCONFIG)' >$(O)/.config
linux:
	@echo '  CC      one.o'
	@test -z "$$SLOW" || { : >$(O)/slow; sleep 61; }
	@test -z "$$BREAK" || { echo 'one.c:1:2: error: broken on purpose' >&2; false; }
	printf '#!/bin/sh\ncat "%s"\n' "$$GUEST_LOG" >$(O)/linux
	chmod +x $(O)/linux
EOT
path_without
fake dpkg-query 'echo installed'
fake ccache 'exec "$@"'
kunit() { env PATH="$work/bin" ARCH=um KERNEL="$k" GUEST_LOG="$here/logs/good-um.log" "$@" make -s -C "$mini" kunit; }
# make adds its own line on a failure; the script alone must say just one.
kunit_fails() {
	name=$1 text=$2
	shift 2
	fails "$name" "$text" env PATH="$work/bin" ARCH=um KERNEL="$k" GUEST_LOG="$here/logs/good-um.log" "$@" "$mini/scripts/kunit"
}

kunit_fails "an option that does not take effect" "CONFIG_KUNIT=y did not take effect for ARCH=um" LOSE=CONFIG_KUNIT=y
kunit_fails "no such fragment" "no configs/none.config" CONFIG=none
kunit_fails "two such fragments" "no configs/none.config" CONFIG=none,neither
kunit_fails "a build that fails" "build failed: one.c:1:2: error: broken on purpose; see" BREAK=1
runs "kunit from end to end" kunit
same "its last line counts" "$(tail -n 1 "$work/out")" "3 passed, 0 failed"
same "it names base, architecture and log" "$(grep -c -e '^base: 6.12 .*, um$' -e '^kernel: 6.12.117+$' -e '^log: /.*/boot.log$' -e '^time: ' "$work/out")" 4
same "no escape codes" "$(grep -c "$(printf '\033')" "$work/out")" 0
runs "kunit again" kunit
same "nothing is built again" "$(grep -c '^build: nothing to do$' "$work/out")" 1
echo 'int edited;' >>"$mini/lib/siprand.c"
runs "series after an edit" "$mini/scripts/series"
kunit_fails "a guest that panics" "Kernel panic" GUEST_LOG="$here/logs/bad-panic.log"

# An interruption ends the build at once, and the next run goes on.
echo 'int again;' >>"$mini/lib/siprand.c"
"$mini/scripts/series" >/dev/null
out_dir=$(dirname "$(sed -n 's/^log: //p' "$work/out")")
[ -n "$out_dir" ] && [ "$out_dir" != . ] || out_dir=none
rm -f "$out_dir/slow"
env PATH="$work/bin" ARCH=um KERNEL="$k" SLOW=1 setsid "$mini/scripts/kunit" >/dev/null 2>&1 &
group=$!
tries=0
while [ ! -f "$out_dir/slow" ] && [ $tries -lt 180 ]; do tries=$((tries + 1)); sleep 0.5; done
kill -s TERM -- -$group
wait $group 2>/dev/null || :
same "the build got that far" "$(cd "$out_dir" && ls slow)" slow
same "no build is left behind" "$(pgrep -x -f 'sleep 61' | wc -l)" 0
runs "kunit after an interruption" kunit

echo CONFIG_SMP=y >"$mini/configs/smp.config"
{ echo 'smp: Brought up 1 node, 1 CPU'; cat "$here/logs/good-um.log"; } >"$work/one-cpu.log"
kunit_fails "a guest that found one CPU of two" "the kernel found one CPU only" CONFIG=smp GUEST_LOG="$work/one-cpu.log"
runs "costs are counted on one" kunit ICOUNT=1 CONFIG=smp GUEST_LOG="$work/one-cpu.log"
