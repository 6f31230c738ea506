# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# make bench on a kernel that is not one, and a guest that knows which variant it
# plays by the path of its kernel.

l="$work/lab kernel"
new_kernel "$l" 6 12
cat >>"$l/Makefile" <<'EOT'
allnoconfig:
	grep -v '=n$$' '$(KCONFIG_ALLCONFIG)' >$(O)/.config
bzImage:
	mkdir -p $(O)/arch/x86/boot
	cp lib/Makefile $(O)/arch/x86/boot/bzImage
	: >$(O)/vmlinux
EOT
cp -R "$project/bench" "$mini/"
rm -rf "$mini/bench/variants"
mkdir -p "$mini/bench/variants/6.12/lab"
cat >"$mini/bench/variants/6.12/lab/word_noise_inlined.patch" <<'EOT'
A comment more.
---
diff --git a/lib/Makefile b/lib/Makefile
--- a/lib/Makefile
+++ b/lib/Makefile
@@ -1,3 +1,4 @@
+# variant
 one
 two
 three
EOT
path_without
fake dpkg-query 'echo installed'
fake ccache 'exec "$@"'
fake qemu-system-x86_64 'for w in syncookie connection syncookie_hashed connection_hashed syncookie_unready connection_unready udp null_syscall bpf_helper xdp_sample; do
	[ "$w" = "${LACKS:-}" ] || echo "siprand-bench: $w 10.0"
done | case "$*" in *hash_reuse*) sed "s/udp 10.0/udp ${UDP:-7.0}/" ;; *) cat ;; esac'
bench() { env PATH="$work/bin" KERNEL="$l" "$@" "$mini/scripts/bench"; }
csv="$mini/Documentation/results/lab-6.12.csv"

runs "bench" bench
same "three variants of ten workloads" "$(cut -d, -f1 "$csv" | sort | uniq -c | awk '{ printf "%s %s ", $1, $2 }')" \
	"10 get_random 10 hash_reuse 1 variant 10 word_noise_inlined "
same "each variant has a kernel of its own" "$(grep -l '^# variant$' "$SIPRAND_CACHE"/build-*/*/lab-out/*/arch/x86/boot/bzImage | sed 's,.*lab-out/,,')" \
	"word_noise_inlined/arch/x86/boot/bzImage"
runs "bench again" bench CHECK=1
same "no figure moved" "$(tail -n 1 "$work/out")" "30 figures as published, 0 moved, 0 new"
same "no kernel was built" "$(grep -c '^build: ' "$work/out")" 0
before=$(cat "$csv")
fails "bench whose counts differ" "not the figures of " bench CHECK=1 UDP=8.0
same "it says which" "$(grep '^moved: ' "$work/out")" "moved: hash_reuse udp from 7.0 to 8.0"
same "and publishes nothing" "$(cat "$csv")" "$before"
fails "bench that lacks a workload" "the hash_reuse guest printed no udp; see " bench LACKS=udp ONLY=hash_reuse
fails "a variant that there is not" "no variant none; there is: base " bench ONLY=none
fails "a variant of another base" "base 6.12 has no variant siphash" bench ONLY=siphash
runs "bench of one variant" bench ONLY=hash_reuse UDP=9.0
same "it leaves the others as they were" "$(printf '%s\n' "$before" | sed 's/hash_reuse,udp,7.0/hash_reuse,udp,9.0/')" "$(cat "$csv")"
