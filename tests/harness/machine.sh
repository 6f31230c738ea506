# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# Machines that lack something: apt, packages, a network, disk space.

path_without apt-get dpkg-query
fails "no apt and no KERNEL" "no apt-get here; give a kernel tree with KERNEL=path" \
	env PATH="$work/bin" ARCH=um "$mini/scripts/kunit"

path_without
fake dpkg-query 'exit 1'
fake apt-get 'echo "$*" >>"$0.log"; exit 1'
fails "NO_INSTALL=1 names packages" "packages missing: gcc make .*leave NO_INSTALL out" \
	env PATH="$work/bin" NO_INSTALL=1 ARCH=um "$mini/scripts/kunit"
same "and installs nothing" "$(cat "$work/bin/apt-get.log" 2>/dev/null)" ""
fake id 'echo 1000'
fails "not root" "run: sudo apt-get install gcc" env PATH="$work/bin" ARCH=um "$mini/scripts/kunit"

fails "an unknown architecture" "no architecture vax; there is: um" env ARCH=vax "$mini/scripts/kunit"
fails "an unknown base" "no base 9.9; there is: 6.12" env BASE=9.9 "$mini/scripts/kunit"

# What is asked of apt: the machine's own Debian source with the suite swapped.
path_without
fake apt-get 'for a; do case $a in Dir::Etc::SourceList=*) cat "${a#*=}" >>"$0.log" ;; esac; done; exit 100'
fake dpkg-query 'echo installed'
etc="$work/etc"
mkdir -p "$etc/sources.list.d"
(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}") >"$work/code"
code=$(cat "$work/code")
printf 'deb http://other.invalid/apt %s-vendor main\n' "$code" >"$etc/sources.list.d/other.list"
asked() { sed 's/.*\] //' "$work/bin/apt-get.log" | tr '\n' ';'; }
fetch() {
	rm -f "$work/bin/apt-get.log"
	fails "$1" "cannot read a signed Debian bookworm-security index" \
		env PATH="$work/bin" SIPRAND_APT_ETC="$etc" "$mini/scripts/fetch"
}
printf 'Types: deb deb-src\nURIs: http://mirror.invalid/debian/\nSuites: %s %s-updates\nComponents: main\n\nTypes: deb\nURIs: http://mirror.invalid/security\nSuites: %s-security\nComponents: main\n' \
	"$code" "$code" "$code" >"$etc/sources.list.d/debian.sources"
fetch "sources in deb822 form"
same "the security source, then one beside the archive" "$(asked)" \
	"http://mirror.invalid/security bookworm-security main;http://mirror.invalid/debian-security bookworm-security main;"
rm "$etc/sources.list.d/debian.sources"
printf '# deb http://old.invalid/debian %s main\ndeb [arch=amd64] http://mirror.invalid/debian %s main contrib\n' "$code" "$code" >"$etc/sources.list"
fetch "sources in one-line form"
same "only the archive's neighbour is left" "$(asked)" "http://mirror.invalid/debian-security bookworm-security main;"

# Colours are for terminals, of people who want them.
if script -qec true /dev/null >/dev/null 2>&1; then
	colours() { env TERM=linux "$@" script -qec "'$mini/scripts/series' --check; '$mini/scripts/series'" /dev/null | grep -c "$(printf '\033')"; }
	same "a terminal has colours, with NO_COLOR none" "$(colours NO_COLOR='') $(colours NO_COLOR=1)" "1 0"
else
	skipped=$((skipped + 1))
	echo 'ok # SKIP colours: no script(1) here'
fi

mkdir -p "$work/small"
if mount -t tmpfs -o size=8m tmpfs "$work/small" 2>/dev/null; then
	k="$work/git kernel"
	git -C "$k" reset -q --hard HEAD
	before=$(print_of "$k")
	fails "a full disk for the tree" "disk full" env SIPRAND_BUILD="$work/small/build" KERNEL="$k" "$mini/scripts/tree"
	same "a full disk: tree untouched" "$before" "$(print_of "$k")"
	fails "a full disk for the cache" "disk full" env PATH="$work/bin" SIPRAND_CACHE="$work/small/cache" "$mini/scripts/fetch"
	cp -R "$k" "$work/small/kernel"
	before=$(print_of "$work/small/kernel")
	fails "a full disk for apply" "disk full" env KERNEL="$work/small/kernel" "$mini/scripts/apply"
	same "a full disk for apply: tree untouched" "$before" "$(print_of "$work/small/kernel")"
	umount "$work/small"
else
	skipped=$((skipped + 1))
	echo 'ok # SKIP full disk: no permission to mount a tmpfs'
fi
