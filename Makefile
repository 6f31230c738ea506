# SPDX-License-Identifier: GPL-2.0
# The front door: each target is one script, with the variables of `make help`.

.DEFAULT_GOAL := help
.PHONY: help kunit matrix each check fuzz attack attack-guest attack-edge statistics entropy bench bench-perf bench-draw bench-guest bench-net bench-size bench-native report apply mail deb fetch series tree refresh clean distclean

help:
	@awk '/^##@/ { printf "%s%s\n", last ~ /^##@/ ? "" : "\n", substr($$0, 5) } { last = $$0 } \
		/^[a-z-]+:.*## / { split($$0, a, ":.*## "); printf "  make %-13s %s\n", a[1], a[2] }' $(MAKEFILE_LIST)

##@ Test
kunit: ## Build a patched kernel, boot it, run its KUnit suite [BASE ARCH KERNEL CONFIG]
	@scripts/kunit
matrix: ## The same for each row of scripts/cells, as a result [ONLY KERNEL]
	@scripts/matrix
each: ## Build the kernel after each patch of the series [BASE ARCH KERNEL CONFIG]
	@scripts/each
check: ## Everything that needs no kernel build, in three minutes
	@scripts/check
fuzz: ## Feed the attack's input parser with malformed files [FUZZ_SECONDS=600]
	@scripts/fuzz

##@ Attack
attack: ## Predict each generator from parts of its draws, as a result
	@scripts/attack
attack-guest: ## Predict what BPF programs draw, without the series and with it [BASE KERNEL]
	@scripts/attack-guest
attack-edge: ## Linear complexity of draws by rounds and width, as a result
	@scripts/attack-edge
statistics: ## Linear tests and dieharder, as a result; hours, resumable [ONLY=regex]
	@scripts/statistics
entropy: ## Min-entropy of what the noise hooks stir in, as a result [KERNEL]
	@scripts/entropy

##@ Measure, each as a result in Documentation/results/
bench: ## Each variant of the generator from end to end [BASE KERNEL ONLY=name,... CHECK=1]
	@scripts/bench
bench-perf: ## Instructions by function in a SYN flood, after make bench [BASE KERNEL]
	@scripts/bench-perf
bench-draw: ## Instructions per call [BASE]
	@scripts/bench-draw
bench-guest: ## Instructions per system call, BPF helper and connection [BASE KERNEL]
	@scripts/bench-guest
bench-net: ## Instructions per packet, where a number is drawn for each [BASE KERNEL]
	@scripts/bench-net
bench-size: ## Text size by inlining [BASE=5.10]
	@scripts/bench-size
bench-native: ## Time per draw on this machine
	@scripts/bench-native
report: ## All results as one page, build/report.html, and README's tables of them
	@scripts/report

##@ Use
apply: ## Put the series on your own kernel tree [KERNEL=path BASE]
	@scripts/apply
mail: ## The series as mails with recipients, in build/mail-<base>/ [BASE KERNEL OUT V]
	@scripts/mail
deb: ## A small kernel as a Debian package, unpacked, booted and traced [BASE KERNEL]
	@scripts/deb
fetch: ## Get the kernel source from Debian into the cache [BASE FETCH=1 for a newer one]
	@scripts/fetch

##@ Develop
series: ## Make patches/ of the root files and hooks/ [BASE]
	@scripts/series
tree: ## The patched tree as a git repository, one commit a patch [BASE KERNEL DISCARD=1]
	@scripts/tree
refresh: ## Carry commits made in that tree back into root files and hooks/ [BASE KERNEL]
	@scripts/refresh

##@ Clean
clean: ## Remove build/, keep the fetched sources
	@scripts/clean
distclean: ## Remove build/ and the cache
	@scripts/clean --cache

##@ Variables: BASE=6.12 ARCH=x86_64|i386|um|… KERNEL=path CONFIG=name,… KARGS=… JOBS=n TIMEOUT=s
##@ NO_INSTALL=1 names missing packages only, NO_COLOR=1 prints without colours;
##@ SIPRAND_CACHE, SIPRAND_BUILD move the folders. What each script needs is in its first lines.
