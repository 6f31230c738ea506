# shellcheck shell=sh disable=SC2154,SC2016 # variables of run.sh
# SPDX-License-Identifier: GPL-2.0
# make report on one small result.

report="$mini/scripts/report"
rm -rf "$mini/Documentation/results"
mkdir -p "$mini/Documentation/results"
printf 'name,instructions\nslow,12345.6\nfast & <good>,1.5\n' >"$mini/Documentation/results/draw-6.12.csv"
printf 'command\tdraw-*\tmake bench-draw BASE=*\ntable\tdraw\tDraws\ncolumns\tcase\tinstructions\nrow\ta `slow` one\tdraw-6.12:slow\nrow\ta < b\tdraw-6.12:fast & <good>\n' >"$mini/scripts/tables"
printf 'Before.\n\n<!-- table: draw -->\nold\n<!-- end -->\n\nAfter.\n' >"$mini/README.md"

fails "tables that the results do not say" "README.md does not say what Documentation/results says.*run make report" "$report" --check
runs "report" "$report"
same "the table is between its marks" "$(cat "$mini/README.md")" "Before.

<!-- table: draw -->
| case | instructions |
| --- | ---: |
| a \`slow\` one | 12,346 |
| a < b | 1.5 |

<!-- end -->

After."
runs "tables that the results say" "$report" --check
html=$(sed -n 's/^report: \(.*\.html\)$/\1/p' "$work/out" | grep . || find "$SIPRAND_CACHE"/build-* -name report.html)
same "the page names its command" "$(grep -c '<code>make bench-draw BASE=6.12</code>' "$html")" 2
same "the page has no markup of the results" "$(grep -c 'fast &amp; &lt;good>' "$html") $(grep -c '<td>a <code>slow</code> one' "$html")" "1 1"
same "the page needs nothing else" "$(grep -c -E '(src|href)="?(https?:)?//' "$html")" 0
printf 'name\n' >"$mini/Documentation/results/new.csv"
fails "a result that no command makes" "names no command for Documentation/results/new.csv" "$report"
rm "$mini/Documentation/results/new.csv"
sed -i '/^slow/d' "$mini/Documentation/results/draw-6.12.csv"
fails "a figure that is gone" "no result for draw-6.12:slow" "$report" --check
sed -i '/^<!-- end/d' "$mini/README.md"
sed -i 's/draw-6.12:slow/draw-6.12:fast \& <good>/' "$mini/scripts/tables"
fails "a table without an end" "without <!-- end -->" "$report"
