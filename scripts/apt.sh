# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Any suite of Debian, read through the machine's own Debian source and checked
# against Debian's keys, without a change to the machine. Sourced after lib.sh.

etc=${SIPRAND_APT_ETC:-/etc/apt}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Each source of this machine as "URI suite", from both of apt's formats.
machine_sources() {
	cat "$etc"/sources.list "$etc"/sources.list.d/*.list 2>/dev/null |
		sed -n 's/^[[:space:]]*deb[[:space:]]\{1,\}//p' | sed 's/^\[[^]]*\][[:space:]]*//' |
		awk '{ print $1, $2 }'
	for f in "$etc"/sources.list.d/*.sources; do
		[ ! -f "$f" ] || awk '
			function flush(i, j, u, s, nu, ns) {
				if (types ~ /(^| )deb( |$)/ && enabled !~ /no/) {
					nu = split(uris, u, " "); ns = split(suites, s, " ")
					for (i = 1; i <= nu; i++) for (j = 1; j <= ns; j++) print u[i], s[j]
				}
				types = uris = suites = enabled = ""
			}
			/^#/ { next }
			/^[[:space:]]*$/ { flush(); next }
			{ line = $0; sub(/^[^:]*:[[:space:]]*/, "", line) }
			/^Types:/ { types = line }
			/^URIs:/ { uris = line }
			/^Suites:/ { suites = line }
			/^Enabled:/ { enabled = line }
			END { flush() }' "$f"
	done
}

# URIs that may serve the suite, best first. A machine without a security
# source has one beside its main archive by convention.
candidates() {
	code=$(. /etc/os-release 2>/dev/null && printf %s "${VERSION_CODENAME:-}")
	machine_sources | awk -v code="$code" -v suite="$suite" '
		function names(s) { return s == code || s ~ /^(stable|oldstable|testing|unstable|sid|bullseye|bookworm|trixie|forky)$/ }
		{ uri = $1; sub(/\/$/, "", uri); s = $2; base = s; sub(/-security$/, "", base) }
		suite ~ /-security$/ && s ~ /-security$/ && names(base) { print 1, uri }
		suite ~ /-security$/ && names(s) && uri ~ /\/debian$/ { print 2, uri "-security" }
		suite !~ /-security$/ && names(s) { print 1, uri }' |
		sort -u | cut -d ' ' -f 2
}

# Its own lists, state and cache: the system's apt is neither read nor changed.
private_apt() {
	tool=$1
	shift
	"$tool" -q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
		-o Dir::State="$apt/state" -o Dir::Cache="$apt/cache" \
		-o Acquire::Languages=none -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false \
		-o Acquire::AllowInsecureRepositories=false -o APT::Get::AllowUnauthenticated=false \
		-o APT::Sandbox::User=root -o APT::Update::Error-Mode=any "$@"
}

# Makes SUITE for ARCH readable by candidate and download.
open_suite() {
	suite=$1
	apt=$CACHE/apt/$1-$2
	[ -f "$keyring" ] || need_packages debian-archive-keyring
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
	# Words of this list are URIs, which hold no spaces.
	for uri in $(candidates); do
		printf 'deb [arch=%s signed-by=%s] %s %s main\n' "$2" "$keyring" "$uri" "$suite" >"$apt/sources.list"
		if private_apt apt-get update >"$apt/log" 2>&1; then
			return 0
		fi
	done
	die "cannot read a signed Debian $suite index (see $apt/log); check the network and $etc/sources.list*, or give KERNEL=path"
}

# The newest version of a package, nothing if there is none.
candidate() {
	private_apt apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *//p' | grep -vxF '(none)' || :
}

# Prints the file that PACKAGE VERSION is in.
download() {
	(cd "$apt/cache/archives" && private_apt apt-get download "$1=$2") >"$apt/log" 2>&1 ||
		die "cannot download $1 $2: $(grep -m 1 '^E:' "$apt/log" || echo "see $apt/log"); run it again"
	find "$apt/cache/archives" -maxdepth 1 -name "${1%:*}_*.deb" | sort | tail -n 1
}
