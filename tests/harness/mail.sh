# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# make mail on a tree whose get_maintainer.pl knows a person and a list.

m="$work/mail kernel"
new_kernel "$m" 6 12
mkdir "$m/scripts"
echo 'print "\"Zoë Z.\" <z\@example>\nlist\@example\n";' >"$m/scripts/get_maintainer.pl"
git -C "$m" init -q
git -C "$m" add -A
git -C "$m" commit -q -m base
mail() { env KERNEL="$m" OUT="$work/mails" "$@" "$mini/scripts/mail"; }

runs "mail" mail V=2
cover=$work/mails/0000-cover-letter.patch
total=$(grep -c . "$mini/patches/6.12/series")
same "a mail for each patch and a cover" "$(cd "$work/mails" && echo 0* | wc -w)" $((total + 1))
same "the cover names the base" "$(sed -n 's/^base-commit: //p' "$cover")" "$(git -C "$m" rev-parse HEAD)"
same "the cover writes to lists first, once each" "$(sed -n '/^Cc: /,/^$/p' "$cover" | tr -d '\n')" "$(printf 'Cc: list@example,\t=?UTF-8?Q?Zo=C3=AB_Z=2E?= <z@example>')"
same "every subject has the version" "$(cat "$work"/mails/0* | grep -c '^Subject: \[PATCH v2 [0-9]*/')" $((total + 1))
fails "a version that is none" "V=x is no version" mail V=x
mkdir "$work/full"
: >"$work/full/letter"
fails "a folder of the user's" "holds something else" mail OUT="$work/full"
same "which stays as it was" "$(ls "$work/full")" letter
rm "$mini/hooks/6.12/cover.txt"
"$mini/scripts/series" >/dev/null
fails "a base without a cover" "no hooks/6.12/cover.txt" mail
printf 'a generator\n\nAbout it.\n' >"$mini/hooks/6.12/cover.txt"
"$mini/scripts/series" >/dev/null
git -C "$m" am -q "$work"/mails/000[1-9]* >"$work/out" 2>&1 || :
same "git am takes them" "$(git -C "$m" rev-list --count HEAD)" $((total + 1))
