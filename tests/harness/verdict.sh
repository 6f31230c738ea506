# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# Recorded logs: good-* must be green, each bad one red for its own reason.

verdict=$project/scripts/verdict

for log in "$here"/logs/good-*.log; do
	runs "verdict ${log##*/}" "$verdict" "$log"
done

while read -r log reason; do
	fails "verdict $log" "$reason" "$verdict" "$here/logs/$log"
done <<EOT
bad-empty.log the guest printed nothing
bad-panic.log Kernel panic
bad-bug.log Kernel panic
bad-oops.log BUG: kernel NULL
bad-warning.log WARNING:
bad-lockdep.log WARNING: possible circular
bad-wait-context.log BUG: Invalid
bad-hung-task.log INFO: task
bad-stall.log rcu: INFO:
bad-kasan.log BUG: KASAN
bad-kcsan.log BUG: KCSAN
bad-ubsan.log UBSAN:
bad-no-ktap.log KUnit did not run
bad-zero-tests.log no test ran
bad-other-suite.log no case of suite siprand
bad-skipped.log no case of suite siprand
bad-truncated.log cut
bad-truncated-case.log siprand
bad-timeout.log the guest hung: no end within 10 s
bad-failing.log 1 of 3 cases failed
bad-5.10-panic.log Kernel panic
EOT
fails "verdict without a log" "no log" "$verdict" "$work/no-such.log"

# A red verdict counts a failure even where no case failed, and names failed cases.
"$verdict" "$here/logs/bad-panic.log" >"$work/out" 2>"$work/err" || :
same "a panic counts as a failure" "$(grep -c ' passed, 0 failed' "$work/out")" 0
"$verdict" "$here/logs/bad-failing.log" >"$work/out" 2>"$work/err" || :
same "a failed case is named with its place" \
	"$(grep -c 'FAILED siprand_test_fails .*lib/test_siprand.c:' "$work/out")" 1
