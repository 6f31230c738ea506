# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# make tree and make refresh, on a given tree: there and back is the identity.

tree=$mini/scripts/tree
refresh=$mini/scripts/refresh
sources() { (cd "$mini" && find hooks lib include MAINTAINERS patches -type f -exec sha256sum {} + | sort | sha256sum); }

for with in git plain; do
	k="$work/$with kernel"
	if [ $with = git ]; then new_git_kernel "$k" 6 12; else new_kernel "$k" 6 12; fi
	before=$(print_of "$k")
	runs "$with: tree" env KERNEL="$k" "$tree"
	same "$with: the given tree is untouched" "$before" "$(print_of "$k")"
	t=$(find "$SIPRAND_CACHE" -name linux -type d -newer "$k/Makefile" | sort | tail -n 1)
	t=$(sed -n 's/^tree: .* in //p' "$work/out" | head -n 1)
	[ -n "$t" ] || t=$(find "$SIPRAND_CACHE"/build-* -maxdepth 2 -name linux | tail -n 1)
	same "$with: one commit a patch" "$(git -C "$t" rev-list --count siprand-base..HEAD)" 2
	stamp=$(stat -c %Y.%i "$t/lib/Makefile")
	runs "$with: tree again" env KERNEL="$k" "$tree"
	same "$with: no file is written again" "$stamp" "$(stat -c %Y.%i "$t/lib/Makefile")"
	was=$(sources)
	runs "$with: refresh" env KERNEL="$k" "$refresh"
	same "$with: refresh is the identity" "$was" "$(sources)"
done

echo '/* more */' >>"$t/lib/siprand.c"
fails "tree does not drop an edit" "has work that the series lacks" env KERNEL="$k" "$tree"
fails "refresh wants a commit" "uncommitted changes" env KERNEL="$k" "$refresh"
git -C "$t" commit -q -a -m 'one more'
fails "refresh keeps a file in one patch" "rides in 01-core.patch" env KERNEL="$k" "$refresh"
same "and touches nothing" "$was" "$(sources)"
git -C "$t" reset -q --hard HEAD^

# An edit in the last patch, and a new patch behind it.
sed -i 's/^M:	A </M:	B </' "$t/MAINTAINERS"
git -C "$t" commit -q -a --amend --no-edit
echo 'int fresh;' >"$t/lib/fresh.c"
echo 'obj-y += fresh.o' >>"$t/lib/Makefile"
git -C "$t" add -A
git -C "$t" commit -q -m 'random: Fresh file

Why.

Signed-off-by: Tester <tester@localhost>'
runs "refresh carries edits back" env KERNEL="$k" "$refresh"
same "the entry came back" "$(grep -c '^M:	B <' "$mini/MAINTAINERS") $(head -n 2 "$mini/MAINTAINERS" | tail -n 1)" "1 # Ours."
same "its mark stayed" "$(grep -c '^+@MAINTAINERS@$' "$mini/hooks/6.12/02-maintainers.patch")" 1
same "the new commit is a hook" "$(tail -n 1 "$mini/hooks/6.12/series.conf") $(cat "$mini/lib/fresh.c")" \
	"03-fresh-file.patch lib/fresh.c int fresh;"
after=$(git -C "$t" rev-parse 'HEAD^{tree}')
runs "tree from what came back" env KERNEL="$k" "$tree"
same "it is the same tree" "$after" "$(git -C "$t" rev-parse 'HEAD^{tree}')"
runs "the drift gate is green after refresh" "$mini/scripts/series" --check

git -C "$t" reset -q --hard HEAD^
fails "tree does not drop a commit" "has work that the series lacks" env KERNEL="$k" "$tree"
fails "refresh misses a commit" "commits for the 3 lines" env KERNEL="$k" "$refresh"
runs "DISCARD=1 does" env DISCARD=1 KERNEL="$k" "$tree"

k="$work/git kernel"
echo dirty >>"$k/lib/Makefile"
fails "tree of a dirty tree" "uncommitted changes" env KERNEL="$k" "$tree"
git -C "$k" checkout -q lib/Makefile
sed -i 's/^two/TWO/' "$k/lib/Makefile"
git -C "$k" commit -q -a -m other
fails "tree of a tree that the series does not fit" "0001-.* does not apply .*hunk at lib/Makefile" env KERNEL="$k" "$tree"
