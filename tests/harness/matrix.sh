# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh and kunit.sh
# SPDX-License-Identifier: GPL-2.0
# make matrix on the kernel and the guest of kunit.sh.

cat >"$mini/scripts/cells" <<'EOT'
6.12	um	-
6.12	um	smp
6.12	i386	-	no such machine, ever
6.1	um	-
EOT
matrix() { env PATH="$work/bin" KERNEL="$k" "$@" "$mini/scripts/matrix"; }
cell() { grep "^$1," "$mini/Documentation/results/matrix.csv"; }

matrix GUEST_LOG="$work/one-cpu.log" >"$work/out" 2>"$work/err" && status=0 || status=$?
same "a matrix with a failure" "$status $(tail -n 1 "$work/out")" "1 1 passed, 1 failed, 1 skipped"
same "a cell that passes" "$(cell '6.12,um,-')" "6.12,um,-,3,0,0,pass,,6.12.0"
same "a cell that fails, and why" "$(cell 6.12,um,smp | cut -d , -f 6-8)" "0,fail,the kernel found one CPU only; give QEMU more of them; see scripts/boot"
same "a cell that cannot be run, and why" "$(cell 6.12,i386)" "6.12,i386,-,0,0,0,not run,no such machine; ever,"
same "a cell of another base" "$(cell 6.1,um)" "6.1,um,-,0,0,0,not run,,"
cp "$here/logs/good-um.log" "$work/one-cpu.log"
runs "the rest of the matrix" matrix
same "only what failed is run again" "$(grep -c '^matrix: ' "$work/out") $(tail -n 1 "$work/out")" "1 2 passed, 0 failed, 1 skipped"
matrix ONLY=config=smp >"$work/out" 2>&1 || :
same "a part keeps the results of the rest" "$(cell 6.12,um,- | cut -d , -f 4-7)" 3,0,0,pass
fails "a matrix of nothing" "no cell for ONLY=arch=vax" matrix ONLY=arch=vax
fails "a selection that means nothing" "ONLY=um means nothing" matrix ONLY=um
