# SPDX-License-Identifier: MIT
#
# A thin front for meson and ninja: `make run` and `make test` are all that a newcomer needs.
# Everything happens in $(BUILD); `meson setup` there is done once and changes nothing later.

BUILD ?= build
FUZZ_TIME ?= 60
PREFIX ?= /usr/local

# One suite or test alone: make test ARGS='--suite unit' or ARGS='attack-open'.
ARGS ?=

.PHONY: help build run test soak bench lint fuzz install clean
.NOTPARALLEL:

help:
	@echo 'make build    build/bailey, libbailey and the manual pages'
	@echo 'make run      a tour: what a sandboxed command can and cannot do here'
	@echo 'make test     every test; the last line says how many passed'
	@echo 'make soak     100,000 calls to the broker, and each kind of fault'
	@echo 'make bench    start-up, work and judging against bare exec and peers'
	@echo 'make lint     formatting, both compilers, analysers, sanitizers'
	@echo 'make fuzz     every fuzz target for FUZZ_TIME seconds ($(FUZZ_TIME))'
	@echo 'make install  into PREFIX ($(PREFIX)), below DESTDIR'
	@echo 'make clean    remove the build directories'
	@echo
	@echo 'On Debian, as root, run and test install the packages that they lack.'

build: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@scripts/deps.sh build
	@meson setup --prefix $(PREFIX) $(BUILD)

run: build
	@examples/tour/tour.sh $(BUILD)/bailey

# The tests are left out of a build directory that was set up before cmocka was there, so they are
# asked for by name, once. The summary decides about success: it also counts skips in CI.
test: $(BUILD)/build.ninja
	@scripts/deps.sh build test
	@test -e $(BUILD)/.tests || meson configure $(BUILD) -Dtests=enabled
	@touch $(BUILD)/.tests
	@ninja -C $(BUILD)
	@rm -f $(BUILD)/meson-logs/testlog.json
	@env -u MAKEFLAGS -u MAKELEVEL meson test -C $(BUILD) --no-rebuild --print-errorlogs $(ARGS); \
		tests/summary.py $(BUILD) $$?

soak: build
	@ninja -C $(BUILD) tests/soak/soaker
	@tests/soak/run.py --long $(BUILD)/bailey $(BUILD)/tests/soak/soaker

bench: build
	@scripts/deps.sh bench
	@tests/bench/run.py $(BUILD)/bailey $(BUILD)/tests/bench
	@tests/bench/run_judge.py $(BUILD)/tests/bench

lint:
	@scripts/deps.sh build test lint
	@scripts/lint.sh

fuzz:
	@scripts/deps.sh build test lint
	@scripts/fuzz.sh $(FUZZ_TIME)

install: build
	@meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf $(BUILD) build-asan build-clang build-analyzer build-fuzz
