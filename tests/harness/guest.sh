# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# Guests that do not end as they should, played by small scripts.

objects="$work/objects"
mkdir -p "$objects"
: >"$objects/.config"

play() { # the guest's script
	printf '#!/bin/sh\n%s\n' "$1" >"$work/guest"
	chmod +x "$work/guest"
	env TIMEOUT=1 QEMU="$work/guest" "$mini/scripts/boot" "$objects" "$objects/boot.log" >/dev/null 2>"$work/boot-err"
}
judge() { "$project/scripts/verdict" "$objects/boot.log"; }

play 'echo Linux version 6; sleep 60'
fails "a guest that hangs" "the guest hung: no end within 1 s" judge
play 'trap "" TERM; echo Linux version 6; while :; do sleep 1; done'
fails "a guest that hangs and holds on" "the guest hung" judge
same "and the boot script says nothing of its own" "$(cat "$work/boot-err")" ""
play 'exit 1'
fails "a guest that ends at once" "the guest printed nothing" judge
play "cat '$here/logs/good-um.log'"
runs "a guest that passes" judge
