# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# A small project with two patches, and the kernel tree that they fit.

mini="$work/a project"
mkdir -p "$mini/hooks/6.12" "$mini/include/linux" "$mini/lib" "$mini/configs"
cp -R "$project/scripts" "$project/bases" "$project/Makefile" "$mini/"
cp "$project"/configs/*.config "$mini/configs/"
printf '/* SPDX-License-Identifier: GPL-2.0 */\nint siprand;\n' >"$mini/include/linux/siprand.h"
printf '// SPDX-License-Identifier: GPL-2.0\nint siprand_c;\n' >"$mini/lib/siprand.c"
printf '# SPDX-License-Identifier: GPL-2.0\n# Ours.\n\nSIPRAND\nM:\tA <a@localhost>\nF:\tlib/siprand.c\n' >"$mini/MAINTAINERS"

hook() { # file, subject; the diff comes from stdin
	{
		printf 'From: Someone Else <someone@localhost>\nDate: Mon, 1 Dec 2025 00:00:00 +0000\n'
		printf 'Subject: %s\n\nWhy.\n\nSigned-off-by: Someone Else <someone@localhost>\n---\n' "$2"
		cat
	} >"$mini/hooks/6.12/$1"
}
hook 01-core.patch 'random: add a generator with a subject that is long enough to be folded by a mailer' <<'EOT'
diff --git a/lib/Makefile b/lib/Makefile
--- a/lib/Makefile
+++ b/lib/Makefile
@@ -2,6 +2,7 @@
 two
 three
 four
+obj-y += siprand.o
 five
 six
 seven
EOT
hook 02-maintainers.patch 'MAINTAINERS: add the generator' <<'EOT'
diff --git a/MAINTAINERS b/MAINTAINERS
--- a/MAINTAINERS
+++ b/MAINTAINERS
@@ -1,6 +1,8 @@
 AAA
 F:	a
 
+@MAINTAINERS@
+
 SIS
 F:	b
 
@@ -8,3 +10,4 @@
 F:	c
 
 ZZZ
+F:	d
EOT
cat >"$mini/hooks/6.12/series.conf" <<'EOT'
# hook and its root files
01-core.patch include/linux/siprand.h lib/siprand.c
02-maintainers.patch
EOT
printf 'a generator\n\nAbout it.\n' >"$mini/hooks/6.12/cover.txt"

new_kernel() { # folder, VERSION, PATCHLEVEL
	rm -rf "$1"
	mkdir -p "$1/include/linux" "$1/lib"
	printf '# SPDX-License-Identifier: GPL-2.0\nVERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = 0\n' "$2" "$3" >"$1/Makefile"
	: >"$1/Kbuild"
	printf '%s\n' one two three four five six seven >"$1/lib/Makefile"
	printf '%s\n' AAA 'F:	a' '' SIS 'F:	b' '' TTT 'F:	c' '' ZZZ >"$1/MAINTAINERS"
}
new_git_kernel() {
	new_kernel "$@"
	git -C "$1" init -q
	git -C "$1" add -A
	git -C "$1" commit -q -m base
}

series=$mini/scripts/series
runs "series makes patches" "$series"
first=$(print_of "$mini/patches")
runs "series again" "$series"
same "series is reproducible" "$first" "$(print_of "$mini/patches")"
runs "the drift gate is green" "$series" --check
echo '/* edit */' >>"$mini/lib/siprand.c"
fails "the drift gate sees an edit" "run make series" "$series" --check
sed -i '$d' "$mini/lib/siprand.c"
same "the entry replaces its mark" "$(grep -c -e '^+SIPRAND$' -e '^@@ -1,6 +1,10 @@' -e '^@@ -8,3 +12,4 @@' "$mini"/patches/6.12/0002-*)" 3
same "the cover letter is no numbered patch" "$(cd "$mini/patches/6.12" && echo 00*)" "$(tr '\n' ' ' <"$mini/patches/6.12/series" | sed 's/ $//')"

# What DEP-3 asks for: in the first paragraph who and what, then text, and --- above
# the diff. Without Origin the author's own, without Forwarded not forwarded.
for p in "$mini"/patches/6.12/00*.patch; do
	awk '/^From [0-9a-f]* /{ next } part == 0 { head = head $0 "\n"; if ($0 == "") part = 1; next }
		part == 1 && /^---$/ { part = 2 } part == 1 && /^(diff|Index:|@@)/ { part = 9 }
		END { exit !(part == 2 && head ~ /(^|\n)From: [^\n]+ <[^\n]+>\n/ && head ~ /(^|\n)Subject: [^\n]/) }' "$p" && printf ok
done >"$work/dep3"
same "the headers are what DEP-3 asks for" "$(cat "$work/dep3")" okok
new_kernel "$work/quilt kernel" 6 12
if command -v quilt >/dev/null; then
	(cd "$work/quilt kernel" && QUILT_PATCHES="$mini/patches/6.12" quilt --quiltrc - push -a --fuzz=0) >"$work/out" 2>&1 || :
	same "quilt takes the series" "$(tail -n 1 "$work/out" | grep -c 'Now at patch ') $(grep -c SIPRAND "$work/quilt kernel/MAINTAINERS")" "1 1"
else
	skipped=$((skipped + 1))
	echo 'ok # SKIP quilt takes the series: no quilt here'
fi

conf=$mini/hooks/6.12/series.conf
cp "$conf" "$work/conf"
broken() { # NAME TEXT, after an edit
	fails "$1" "$2" "$series"
	cp "$work/conf" "$conf"
	same "$1: patches untouched" "$first" "$(print_of "$mini/patches")"
}
sed -i 's/^02.*/& lib\/siprand.c/' "$conf"
broken "a file in two patches" "rides in two patches"
sed -i 's/^02.*//' "$conf"
broken "a hook outside the series" "02-maintainers.patch is not both"
sed -i 's/^02.*/& lib\/none.c/' "$conf"
broken "a root file that is not there" "lib/none.c, which is not here"
cp "$mini/hooks/6.12/01-core.patch" "$work/hook"
sed -i '/^Signed-off-by/d' "$mini/hooks/6.12/01-core.patch"
broken "a hook without Signed-off-by" "has no Signed-off-by"
sed 's/^@@ -2,6/@@ -2,9/' "$work/hook" >"$mini/hooks/6.12/01-core.patch"
broken "a corrupt hook" "is not a valid diff"
cp "$work/hook" "$mini/hooks/6.12/01-core.patch"
fails "an unknown base" "there is: 6.12" env BASE=9.9 "$series"
