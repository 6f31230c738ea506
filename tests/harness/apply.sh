# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# make apply: all or nothing, on trees with git and without.

apply=$mini/scripts/apply
k="$work/my kernel"

untouched() { # NAME TEXT: it fails, and the tree stays
	before=$(print_of "$k")
	fails "$1" "$2" env KERNEL="$k" "$apply"
	same "$1: tree untouched" "$before" "$(print_of "$k")"
}

new_git_kernel "$k" 6 12
runs "apply to a git tree" env KERNEL="$k" "$apply"
same "one commit a patch" "$(git -C "$k" rev-list --count HEAD)" 3
same "with the hook's author and subject" "$(git -C "$k" log -1 --format='%an: %s')" \
	"Someone Else: MAINTAINERS: add the generator"
same "and nothing left over" "$(git -C "$k" status --porcelain)" ""
untouched "already applied" "already in"

new_kernel "$k" 6 12
runs "apply to a tree without git" env KERNEL="$k" "$apply"
same "its files are there" "$(grep -c -x -e 'obj-y += siprand.o' "$k/lib/Makefile") $(grep -c -x SIPRAND "$k/MAINTAINERS") $(ls "$k/lib/siprand.c")" \
	"1 1 $k/lib/siprand.c"
same "no .orig, no .rej" "$(find "$k" -name '*.orig' -o -name '*.rej')" ""

for with in git plain; do
	if [ $with = git ]; then make_kernel=new_git_kernel; else make_kernel=new_kernel; fi
	# Between bases: the nearest one's patches, and where they do not fit.
	$make_kernel "$k" 6 14
	runs "$with: a version without a base" env KERNEL="$k" "$apply"
	same "$with: it says so" "$(sed -n '1p;$p' "$work/out" | sed 's,are in .* which,are in … which,')" \
		"apply: no base for Linux 6.14; trying 6.12
apply: 2 patches for Linux 6.12 are in … which is Linux 6.14: untested; build it and run the tests"
	new_kernel "$k" 5 15
	sed -i 's/^two/TWO/' "$k/lib/Makefile"
	rm "$k/MAINTAINERS"
	[ $with = plain ] || { git -C "$k" init -q; git -C "$k" add -A; git -C "$k" commit -q -m base; }
	untouched "$with: the nearest base does not fit" "base 6.12 does not fit .*: hunks that do not apply: 2,"
	same "$with: every hunk is told" "$(sed -n 's,^  patches/6.12/,,p' "$work/out")" \
		"$(cd "$mini/patches/6.12" && echo 0001-*): lib/Makefile:2
0002-MAINTAINERS-add-the-generator.patch: MAINTAINERS: no such file"

	$make_kernel "$k" 6 12
	echo 'int mine;' >"$k/lib/siprand.c"
	untouched "$with: a file in the way" "lib/siprand.c is in the way"

	# The last patch fails, after the first would have gone in.
	new_kernel "$k" 6 12
	sed -i 's/^ZZZ/YYY/' "$k/MAINTAINERS"
	[ $with = plain ] || { git -C "$k" init -q; git -C "$k" add -A; git -C "$k" commit -q -m base; }
	untouched "$with: a hunk that does not apply" "hunks that do not apply: 1, the first at patches/6.12/0002-MAINTAINERS-add-the-generator.patch: MAINTAINERS:12; nothing"

	# Fuzz would let this through: a context line differs.
	new_kernel "$k" 6 12
	sed -i 's/^two/TWO/' "$k/lib/Makefile"
	[ $with = plain ] || { git -C "$k" init -q; git -C "$k" add -A; git -C "$k" commit -q -m base; }
	untouched "$with: a hunk that needs fuzz" "the first at patches/6.12/0001-.*: lib/Makefile:2"
done

new_git_kernel "$k" 6 12
echo eight >>"$k/lib/Makefile"
untouched "a dirty tree" "uncommitted changes"
git -C "$k" checkout -q lib/Makefile
mkdir "$k/.git/rebase-apply"
untouched "an unfinished git am" "unfinished"
rmdir "$k/.git/rebase-apply"
printf '#!/bin/sh\nexit 1\n' >"$k/.git/hooks/applypatch-msg"
chmod +x "$k/.git/hooks/applypatch-msg"
head_before=$(git -C "$k" rev-parse HEAD)
fails "git am is refused by the user's hook" "git am failed" env KERNEL="$k" "$apply"
same "git am is refused: nothing stays" "$head_before $(git -C "$k" status --porcelain)" "$(git -C "$k" rev-parse HEAD) "
rm "$k/.git/hooks/applypatch-msg"

new_git_kernel "$k" 6 12
rm "$work/gitconfig"
runs "apply without a git identity" env KERNEL="$k" "$apply"
git config --global user.name Tester
git config --global user.email tester@localhost

mkdir -p "$work/no kernel"
fails "not a kernel tree" "is not a kernel tree" env KERNEL="$work/no kernel" "$apply"
fails "no such folder" "is not a kernel tree" env KERNEL="$work/none" "$apply"
fails "no tree given" "KERNEL=path" "$apply"
new_git_kernel "$k" 6 12
fails "an asked-for base that does not fit" "no base 5.8\|not base" env BASE=5.8 KERNEL="$k" "$apply"
