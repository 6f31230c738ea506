#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests of the scripts: recorded boot logs must be judged right, and bad input
# must end in one clear line with the user's tree untouched. They run in a copy
# of the project with a tiny kernel tree, under a path with a space.
set -eu
export LC_ALL=C NO_COLOR=1
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck disable=SC2034 # for the parts
project=$(cd "$here/../.." && pwd -P)
unset BASE ARCH KERNEL CONFIG DISCARD FETCH NO_INSTALL TIMEOUT SMP KARGS QEMU_ARGS SUITE MAKEFLAGS
if [ -z "${KUNIT_PY:-}" ]; then
	KUNIT_PY=$("$project/scripts/tools")/tools/testing/kunit/kunit.py
fi
export KUNIT_PY
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export SIPRAND_CACHE="$work/cache" GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1
git config --global user.name Tester
git config --global user.email tester@localhost

passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); printf 'ok %s\n' "$1"; }
not_ok() {
	failed=$((failed + 1))
	printf 'not ok %s: %s\n' "$1" "$2"
	sed 's/^/    /' "$work/out" "$work/err" 2>/dev/null | tail -n 12
}

# runs NAME COMMAND...: it must succeed.
runs() {
	name=$1
	shift
	if "$@" >"$work/out" 2>"$work/err" </dev/null; then ok "$name"; else not_ok "$name" "exit $?"; fi
}

# fails NAME TEXT COMMAND...: one line on stderr that has TEXT, and no success.
fails() {
	name=$1 text=$2
	shift 2
	if "$@" >"$work/out" 2>"$work/err" </dev/null; then
		not_ok "$name" "it succeeded"
	elif [ "$(grep -c . "$work/err")" != 1 ] || ! grep -q "^siprand: error: .*$text" "$work/err"; then
		not_ok "$name" "expected one line with '$text'"
	else
		ok "$name"
	fi
}

same() { # NAME, before, after
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "'$2' is not '$3'"; fi
}

# The tools of this machine, without those named.
path_without() {
	rm -rf "${work:?}/bin"
	mkdir "$work/bin"
	(
		IFS=:
		for d in $PATH; do
			for f in "$d"/*; do
				[ ! -x "$f" ] || [ -e "$work/bin/${f##*/}" ] || ln -s "$f" "$work/bin/"
			done
		done
	)
	for f; do rm -f "$work/bin/$f"; done
}
fake() { # name, script
	rm -f "$work/bin/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# Everything in a tree, git's own files too.
print_of() { (cd "$1" && find . -type f -exec sha256sum {} + | sort | sha256sum); }

for part in ${PARTS:-verdict series apply tree mail guest machine kunit matrix attack bench deb report}; do
	# shellcheck source=/dev/null
	. "$here/$part.sh"
done

if [ $skipped -gt 0 ]; then
	printf '%s passed, %s failed, %s skipped\n' $passed $failed $skipped
else
	printf '%s passed, %s failed\n' $passed $failed
fi
[ $failed = 0 ]
