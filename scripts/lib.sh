# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# What every script shares: one way to fail, to find a base, a place and a
# package. Sourced first; the caller has `set -eu`.

TOP=$(cd "$(dirname "$0")/.." && pwd -P)

# A kernel build must not inherit our own make's options, nor git a caller's repository.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES KBUILD_OUTPUT CDPATH \
	GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1 GIT_OPTIONAL_LOCKS=0

CACHE=${SIPRAND_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/siprand}
case $CACHE in
/*) ;;
*) CACHE=$PWD/$CACHE ;;
esac

# shellcheck disable=SC2034 # for the scripts that source this
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
	bold=$(printf '\033[1m') red=$(printf '\033[31m') green=$(printf '\033[32m') plain=$(printf '\033[0m')
else
	bold='' red='' green='' plain=''
fi

say() { printf '%s%s%s\n' "$bold" "$*" "$plain"; }

die() {
	printf 'siprand: error: %s\n' "$*" >&2
	exit 1
}

# An EXIT trap alone does not run on a signal in dash.
at_exit() {
	# shellcheck disable=SC2064 # the caller's words are meant now
	trap "$1" EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
}

# shellcheck disable=SC2016,SC2154 # expanded at exit
make_tmp() {
	tmp=$(mktemp -d) || die "cannot make a temporary folder; check TMPDIR"
	at_exit 'rm -rf "$tmp"'
}

hash_of() { sha256sum | cut -c1-"${1:-64}"; }

# --- places ---

# Kernel builds do not work under a path with a space or a colon.
build_dir() {
	if [ -n "${SIPRAND_BUILD:-}" ]; then
		b=$SIPRAND_BUILD
	else
		case $TOP in
		*[[:space:]:]*) b=$CACHE/build-$(printf %s "$TOP" | hash_of 8) ;;
		*) b=$TOP/build ;;
		esac
	fi
	case $b in
	*[[:space:]:]*) die "a kernel cannot be built in '$b'; set SIPRAND_BUILD to a path without spaces and colons" ;;
	/*) printf '%s\n' "$b" ;;
	*) printf '%s\n' "$PWD/$b" ;;
	esac
}

# The nearest existing parent is what df can answer for.
need_disk() {
	d=$1
	while [ ! -d "$d" ]; do d=$(dirname "$d"); done
	free=$(df -Pm "$d" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$2" ] ||
		die "disk full: $free MiB free in $d, $2 MiB needed; make room, or set SIPRAND_BUILD and SIPRAND_CACHE to another disk"
}

# One writer at a time in a folder; the lock goes with the process.
lock() {
	mkdir -p "$1" || die "cannot write to $1; set SIPRAND_BUILD or SIPRAND_CACHE to a folder of yours"
	command -v flock >/dev/null || return 0
	exec 9>"$1/.lock"
	flock -n 9 || { say "waiting for another siprand run in $1"; flock 9; }
}

# --- bases ---

base_rows() { grep -v -e '^#' -e '^[[:space:]]*$' "$TOP/bases"; }
base_list() { base_rows | awk '{ printf "%s%s", sep, $1; sep = " " }'; }
base_field() { base_rows | awk -v b="$1" -v f="$2" '$1 == b { print $f }'; }
# The bases that fit trees of a version; for most versions there is none.
bases_for() { base_rows | awk -v v="$1" '{ n = split($2, a, ","); for (i = 1; i <= n; i++) if (a[i] == v) print $1 }'; }
series_conf() { grep -v -e '^#' -e '^[[:space:]]*$' "$TOP/hooks/$1/series.conf"; }

tree_version() {
	[ -f "$1/Makefile" ] && [ -f "$1/Kbuild" ] && [ -d "$1/include/linux" ] &&
		sed -n '1,10{s/^VERSION = *//p;s/^PATCHLEVEL = *//p;}' "$1/Makefile" |
		awk '/^[0-9]+$/ { v = v s $1; s = "." } END { if (v !~ /\./) exit 1; print v }'
}

# Sets KERNEL to a full path and version to its VERSION.PATCHLEVEL.
find_kernel() {
	case $KERNEL in
	\~/*) KERNEL=$HOME/${KERNEL#??} ;;
	esac
	version=$(tree_version "$KERNEL") ||
		die "$KERNEL is not a kernel tree; give the top folder of a Linux source with KERNEL=path"
	KERNEL=$(cd "$KERNEL" && pwd -P)
}

# Sets BASE: what was asked for, else what the given tree is, else the first.
select_base() {
	if [ -n "${KERNEL:-}" ]; then
		find_kernel
		fits=$(bases_for "$version")
		[ -n "$fits" ] || die "no base for Linux $version; there is: $(base_list)"
		if [ -n "${BASE:-}" ]; then
			printf '%s\n' "$fits" | grep -qxF "$BASE" ||
				die "$KERNEL is Linux $version, not base $BASE; leave BASE out"
		else
			BASE=$(printf '%s\n' "$fits" | head -n 1)
		fi
	fi
	: "${BASE:=$(base_rows | awk 'NR == 1 { print $1 }')}"
	[ -n "$(base_field "$BASE" 1)" ] || die "no base $BASE; there is: $(base_list)"
	[ -f "$TOP/hooks/$BASE/series.conf" ] || die "base $BASE has no hooks/$BASE/series.conf; write its hooks first"
}

# For a KERNEL that is a git tree: what git says and what it would lose.
need_clean_git() {
	git -C "$KERNEL" rev-parse -q --verify HEAD >/dev/null 2>"$tmp/why" ||
		die "git cannot read $KERNEL: $(head -n 1 "$tmp/why" | grep . || echo 'it has no commit'); mend that first"
	[ -z "$(git -C "$KERNEL" status --porcelain --untracked-files=no)" ] ||
		die "$KERNEL has uncommitted changes; commit or stash them"
}

# Where the patched tree of BASE and KERNEL lives.
work_dir() {
	w=$(build_dir)
	if [ -n "${KERNEL:-}" ]; then
		printf '%s/%s-%s\n' "$w" "$BASE" "$(printf %s "$KERNEL" | hash_of 8)"
	else
		printf '%s/%s\n' "$w" "$BASE"
	fi
}

source_tar() { printf '%s/%s/linux.tar.xz\n' "$CACHE" "$1"; }

# A tree is compared and rewritten with plain settings, whatever the user's are.
tree_git() {
	GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_OPTIONAL_LOCKS=1 git -c gc.auto=0 -c core.quotePath=false \
		-c core.autocrlf=false -c core.looseCompression=1 -c safe.directory='*' "$@"
}

# A second work tree of the repository in DIR/linux, at COMMIT: add_worktree DIR PLACE COMMIT
add_worktree() {
	if [ -e "$2/.git" ] && tree_git -C "$2" checkout -q --detach "$3" 2>/dev/null; then return 0; fi
	need_disk "$1" 4000
	say "${2##*/}: checking out a second tree (a minute or two)" >&2
	rm -rf "$2"
	tree_git -C "$1/linux" worktree prune
	tree_git -C "$1/linux" worktree add -q -f --detach "$2" "$3" >&2 || die "cannot check out $3 in $2; run make tree"
}

# --- packages ---

missing_packages() {
	for p; do
		dpkg-query -W -f '${db:Status-Status}\n' "$p" 2>/dev/null | grep -qx installed || printf ' %s' "$p"
	done
}

# Elsewhere than on Debian the tools are the user's care.
need_packages() {
	command -v dpkg-query >/dev/null || return 0
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	[ -z "${NO_INSTALL:-}" ] || die "packages missing:$missing; install them, or leave NO_INSTALL out"
	[ "$(id -u)" = 0 ] || die "packages missing:$missing; run: sudo apt-get install$missing"
	command -v apt-get >/dev/null || die "packages missing:$missing; install them (no apt-get here)"
	say "packages: installing$missing"
	log=$(mktemp)
	# An old or empty index is the usual reason for a first failure.
	# shellcheck disable=SC2086 # a list of words
	{ apt_install $missing || { apt-get -q update && apt_install $missing; }; } >"$log" 2>&1 || {
		why=$(grep -m 1 '^E:' "$log" || echo "see $log")
		die "cannot install$missing: $why; install them by hand"
	}
	rm -f "$log"
}

apt_install() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
		install --no-install-recommends "$@" </dev/null
}

clock() { printf '%02d:%02d' $(($1 / 60)) $(($1 % 60)); }

# --- patches ---

# The place that git apply or patch named, as one phrase.
failed_at() {
	awk '
		/^patching file / { file = substr($0, 15) }
		/^Hunk #[0-9]+ FAILED at / { print "hunk at " file ":" $5 + 0; exit }
		/^error: patch failed: / { print "hunk at " $4; exit }
		/^error: / { print substr($0, 8); exit }
		/(FAILED|No such file|malformed)/ { print; exit }' "$1"
}

# Commits TREE on PARENT with a mail's message, author and date, for the
# committer as well: the same series gives the same commits.
commit_mail() {
	git mailinfo -b "$tmp/msg" "$tmp/diff" <"$1" >"$tmp/info"
	sed -n 's/^Subject: //p' "$tmp/info" >"$tmp/message"
	[ ! -s "$tmp/msg" ] || { echo; cat "$tmp/msg"; } >>"$tmp/message"
	name=$(sed -n 's/^Author: //p' "$tmp/info")
	mail=$(sed -n 's/^Email: //p' "$tmp/info")
	date=$(sed -n 's/^Date: //p' "$tmp/info")
	git stripspace <"$tmp/message" |
		GIT_AUTHOR_NAME=$name GIT_AUTHOR_EMAIL=$mail GIT_AUTHOR_DATE=$date \
			GIT_COMMITTER_NAME=$name GIT_COMMITTER_EMAIL=$mail GIT_COMMITTER_DATE=$date \
			in_tree commit-tree "$3" -p "$2"
}

# --- a kernel for one architecture ---

# Sets ARCH and its row's columns.
select_arch() {
	: "${ARCH:=x86_64}"
	row=$(grep -v '^#' "$TOP/scripts/archs" | awk -v a="$ARCH" '$1 == a')
	[ -n "$row" ] ||
		die "no architecture $ARCH; there is: $(grep -v '^#' "$TOP/scripts/archs" | awk '{ printf "%s%s", s, $1; s = " " }')"
	[ -f "$TOP/configs/$ARCH.config" ] || die "no configs/$ARCH.config; write one to build for $ARCH"
	# shellcheck disable=SC2034 # for the scripts that source this
	read -r _ karch cross image qemu console arch_packages qemu_args <<-EOT
		$row
	EOT
	[ "$cross" != - ] || cross=''
}

# What building and booting takes, the architecture's own included.
build_packages() {
	echo gcc make libc6-dev bc bison flex libelf-dev libssl-dev cpio kmod xz-utils git python3 perl ccache
	[ "$arch_packages" = - ] || printf '%s\n' "$arch_packages" | tr , ' '
}

# A kernel without the series has no suite to select.
fragments() {
	[ -n "${PRISTINE:-}" ] || printf '%s\n' "$TOP/configs/kunit.config"
	printf '%s\n' "$TOP/configs/$ARCH.config"
	printf '%s\n' "${CONFIG:-}" | tr , '\n' | while read -r f; do
		[ -z "$f" ] || printf '%s\n' "$TOP/configs/$f.config"
	done
}

# The build folder of ARCH and CONFIG under a work folder.
object_dir() { printf '%s/%s%s%s\n' "$1" "$ARCH" "${CONFIG:+-$CONFIG}" "${PRISTINE:+-pristine}" | tr , -; }

# make for the kernel of $linux into $objects; fixed names and dates make the
# same source the same binary. Not plain CC: the kernel builds host tools too,
# which in old kernels give today's compilers reason to warn.
# shellcheck disable=SC2154 # the caller's
kernel_make() {
	cc=${cross}gcc
	if command -v ccache >/dev/null; then cc="ccache $cc"; fi
	set -- nice make -C "$linux" O="$objects" ARCH="$karch" CROSS_COMPILE="$cross" CC="$cc" \
		KBUILD_BUILD_TIMESTAMP='1970-01-01' KBUILD_BUILD_USER=siprand KBUILD_BUILD_HOST=siprand WERROR=0 \
		-j"${JOBS:-$(nproc)}" "$@"
	"$@"
}

# --- programs and guests ---

# A program of ours: compile PROGRAM SOURCE OPTION...
compile() {
	"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$TOP/include" -o "$@" >&2 ||
		die "cannot compile $2; see above"
}

# The same as /init of a new root folder: compile_init SOURCE ROOT
compile_init() {
	rm -rf "$2"
	mkdir -p "$2"
	compile "$2/init" "$1" -static
}

# Without a date or number of this machine: a byte more to read at boot, and other
# random numbers are drawn.
pack_init() {
	(cd "$1" && find . -exec touch -hd @0 {} + && find ./* | sort | cpio --quiet --reproducible -o -H newc)
}

# Whether a guest ended as it should; makes its log plain text: check_guest NAME LOG
check_guest() {
	tr -d '\r' <"$2" >"$2.text"
	mv "$2.text" "$2"
	! grep -q '^siprand-guest: error' "$2" || die "$(sed -n 's/^siprand-guest: error: //p' "$2" | head -n 1); see $2"
	grep -q '^siprand-boot: exit 0' "$2" || die "the $1 guest did not end by itself: $(tail -n 1 "$2"); see $2"
	! grep -q -E '(Kernel panic|BUG: |WARNING: )' "$2" || die "$(grep -m 1 -E '(Kernel panic|BUG: |WARNING: )' "$2"); see $2"
}

# --- results ---

# Publishes $tmp/csv as a result, and shows it: publish NAME
publish() {
	csv=$TOP/Documentation/results/$1.csv
	mkdir -p "${csv%/*}"
	cp "$tmp/csv" "$csv"
	column -t -s , "$csv" 2>/dev/null || cat "$csv"
}

# Adds up the lines `N passed, N failed[, N skipped]` of its input.
sum_counts() {
	sed -n 's/^[^0-9]*\([0-9]\{1,\}\) passed, \([0-9]\{1,\}\) failed\(, \([0-9]\{1,\}\) skipped\)\{0,1\}.*$/\1 \2 \4/p' |
		awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }'
}
