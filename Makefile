# SPDX-License-Identifier: GPL-2.0
# The front door: each target is one script, with the variables of `make help`.

.DEFAULT_GOAL := help
.PHONY: help kunit matrix each check bench bench-perf bench-draw bench-guest bench-net bench-size bench-native attack attack-edge fuzz attack-guest statistics entropy apply mail deb report fetch series tree refresh clean distclean

help:
	@awk '/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { split($$0, a, ":.*## "); printf "  make %-12s %s\n", a[1], a[2] }' $(MAKEFILE_LIST)

##@ Test
kunit: ## Build a patched kernel, boot it, print its KUnit result [BASE ARCH KERNEL CONFIG]
	@scripts/kunit
matrix: ## Every cell of scripts/cells, to Documentation/results/ [ONLY KERNEL]
	@scripts/matrix
each: ## Build the kernel after each patch of the series [BASE ARCH KERNEL CONFIG]
	@scripts/each
check: ## Everything that needs no kernel build, under 3 minutes
	@scripts/check
bench: ## The lab table, each variant of the generator from end to end [BASE ONLY=variant,... CHECK=1]
	@scripts/bench
bench-perf: ## Share of each function in a SYN flood, on a kernel that make bench built [BASE KERNEL]
	@scripts/bench-perf
bench-draw: ## Instructions per call in QEMU, to Documentation/results/ [BASE]
	@scripts/bench-draw
bench-guest: ## Instructions per system call, BPF helper and connection, likewise [BASE KERNEL]
	@scripts/bench-guest
bench-net: ## Instructions per packet where one draws, likewise [BASE KERNEL]
	@scripts/bench-net
bench-size: ## Text size per inlining choice, likewise [BASE=5.10]
	@scripts/bench-size
bench-native: ## Time per draw on this machine, likewise
	@scripts/bench-native
attack: ## Predict each generator from parts of its draws, likewise
	@scripts/attack
attack-edge: ## Linear complexity of draws by rounds and width, likewise
	@scripts/attack-edge
fuzz: ## Feed the attack's input parser with malformed files [FUZZ_SECONDS=600]
	@scripts/fuzz
attack-guest: ## Predict what BPF programs draw, without the series and with it [BASE KERNEL]
	@scripts/attack-guest
statistics: ## Our linear tests and dieharder, to Documentation/results/; hours, resumable [ONLY=regex]
	@scripts/statistics
entropy: ## Min-entropy of what the noise hooks stir in, likewise [KERNEL]
	@scripts/entropy

##@ Use
apply: ## Put the series on your own kernel tree [KERNEL=path]
	@scripts/apply
mail: ## The series as mails with recipients, to build/mail-<base>/ [BASE KERNEL OUT V]
	@scripts/mail
deb: ## A small kernel as a Debian package, installed, booted and traced [BASE KERNEL]
	@scripts/deb
report: ## Results as one page, build/report.html, and as README.md's tables
	@scripts/report
fetch: ## Get the kernel source from Debian into the cache [BASE FETCH=1 for a newer one]
	@scripts/fetch

##@ Develop
series: ## Make patches/ from the root files and hooks/ [BASE]
	@scripts/series
tree: ## The patched tree as a git repository, one commit a patch [BASE KERNEL DISCARD=1]
	@scripts/tree
refresh: ## Carry commits made in that tree back into root files and hooks [BASE KERNEL]
	@scripts/refresh

##@ Clean
clean: ## Remove build/, keep the fetched sources
	@scripts/clean
distclean: ## Remove build/ and the cache
	@scripts/clean --cache

##@ Variables: BASE=6.12 ARCH=x86_64|i386|um|… KERNEL=path CONFIG=name,… KARGS=… JOBS=n TIMEOUT=s
##@ NO_INSTALL=1 names missing packages only; SIPRAND_CACHE, SIPRAND_BUILD move the folders
