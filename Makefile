# Postern: build, try, test. Every target installs what it needs on a bare Debian 12 with a Swift toolchain.
SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: build run static test test-long test-tsan test-asan test-timing bench bench-server bench-accounts \
	fuzz lint vectors example api api-check symbol-graphs docs clean packages test-packages nginx promtool browser deb test-deb

SWIFT_BUILD := swift build --explicit-target-dependency-import-check error
FUZZ_EXECUTIONS ?= 10000000
PYTHON := /usr/bin/python3
SYMBOL_GRAPHS = $(shell swift build --show-bin-path)/../symbolgraph
EXAMPLE := TestVectors/example
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# Installs a Debian package only when what it brings is missing: an upgrade would change the library that is measured.
define need
	@$(1) >/dev/null 2>&1 || { echo "installing $(2)"; \
		{ $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends $(2) >/dev/null; } || \
		{ echo "could not install $(2): install it by hand and call make again" >&2; exit 1; }; }
endef

packages:
	@command -v swift >/dev/null || { echo "a Swift 6.2 or later toolchain must be in PATH" >&2; exit 1; }
	$(call need,command -v pkg-config,pkg-config)
	$(call need,pkg-config --atleast-version=3.0 libcrypto,libssl-dev)
	$(call need,pkg-config --exists libcurl,libcurl4-openssl-dev)
	$(call need,pkg-config --exists libidn2,libidn2-dev)
	$(call need,pkg-config --atleast-version=3.38 sqlite3,libsqlite3-dev)
	$(call need,pkg-config --exists libsodium,libsodium-dev)
	$(call need,pkg-config --exists libcrypt,libcrypt-dev)
	$(call need,[ -e /usr/include/uninorm.h ],libunistring-dev)

test-packages: packages
	$(call need,/usr/bin/python3 -c 'import cryptography',python3 python3-cryptography)
	$(call need,command -v readelf,binutils)
	$(call need,command -v curl,curl)
	$(call need,[ -e /usr/share/john/password.lst ],john-data)
	$(call need,[ -e /usr/share/dict/cracklib-small ],cracklib-runtime)
	@$(MAKE) --no-print-directory nginx promtool

# Unpacked and not installed: the package would start a service, now and at each boot.
nginx:
	@[ -x /usr/sbin/nginx ] || .build/nginx/usr/sbin/nginx -v 2>/dev/null || { echo "fetching nginx"; \
		rm -rf .build/nginx && mkdir -p .build/nginx && cd .build/nginx && \
		{ apt-get download -qq nginx 2>/dev/null || \
			{ $(SUDO) apt-get update -qq && apt-get download -qq nginx; }; } && \
		dpkg-deb --extract nginx_*.deb . && usr/sbin/nginx -v; } || \
		echo "could not fetch nginx: the test that needs it is skipped" >&2

# Of a large package the one program that checks metrics; the package would start a service too.
promtool:
	@command -v promtool >/dev/null || .build/promtool/usr/bin/promtool --version >/dev/null 2>&1 || { echo "fetching promtool"; \
		rm -rf .build/promtool && mkdir -p .build/promtool && cd .build/promtool && \
		{ apt-get download -qq prometheus 2>/dev/null || \
			{ $(SUDO) apt-get update -qq && apt-get download -qq prometheus; }; } && \
		dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool && rm prometheus_*.deb && \
		usr/bin/promtool --version | head -n 1; } || \
		echo "could not fetch promtool: the tests that need it are skipped" >&2

build: packages
	$(SWIFT_BUILD) -c release --product postern

# The daemon in the foreground, with an issuer of its own for tests: it prints what to paste into another terminal.
run: build
	.build/release/postern serve --development .build/development

# The daemon as it is installed: the Swift runtime inside, so that of the system it needs OpenSSL, libcurl and the C and C++
# runtimes alone, and no symbols. It has a folder of its own, since everything is built another way.
STATIC := .build-static
STATIC_BYTES := 12000000
# Nothing asks the program for a symbol, and of addresses to be moved at the start a map of bits says as much as a table of 24 bytes each
# (DT_RELR, which glibc has since 2.36): together a tenth of the file. The table for finding frames of the stack at run time is for exceptions of
# C++ and for ending threads from outside, of which there are none here; debuggers find frames without it.
STATIC_LINK := -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
	-Xlinker --no-eh-frame-hdr -Xlinker --version-script=$(CURDIR)/Sources/Packaging/exports.map
static: packages
	$(call need,command -v readelf,binutils)
	$(SWIFT_BUILD) -c release --static-swift-stdlib --product postern --scratch-path $(STATIC) $(STATIC_LINK)
	strip -o $(STATIC)/postern $(STATIC)/release/postern
	@if readelf -d $(STATIC)/postern | grep -E 'NEEDED.*(libswift|libdispatch|libBlocksRuntime|libFoundation|lib_)'; then \
		echo "the Swift runtime is not inside" >&2; exit 1; fi
	@Tests/Linkage/needed.sh $(STATIC)/postern daemon
	@size=$$(stat -c %s $(STATIC)/postern); echo "$(STATIC)/postern has $$size bytes, at most $(STATIC_BYTES)"; \
		[ $$size -le $(STATIC_BYTES) ]

# The Debian package of it, in .build/deb; the same to the byte for the same program and commit.
DEB := .build/deb
deb: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
deb: static
	$(call need,command -v dpkg-shlibdeps,dpkg-dev)
	rm -rf $(DEB) && mkdir -p $(DEB)
	Sources/Packaging/build.sh $(STATIC)/postern $(DEB)

# As root. The package in a root of Debian 12 that debootstrap makes once: installed, run under a systemd of its own without
# network, upgraded, purged, and every command of Docs/Operating.md.
test-deb: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
test-deb: deb
	$(call need,command -v debootstrap,debootstrap)
	$(call need,command -v systemd-nspawn,systemd-container)
	$(SUDO) env SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) Tests/Packaging/test.sh $(DEB)/postern_*.deb $(STATIC)/postern

lint: packages
	swift format lint --strict --recursive Package.swift Sources Tests Docs

# A room after the other: all tests of a run queue for as many threads as the machine has, and one with a server and a time limit
# must not wait behind thousands of vectors. Every room is run, whatever the others say; what failed is said once more at the end.
ROOMS := $(sort $(notdir $(wildcard Tests/*Tests)))
TEST_LOGS := .build/test-logs
RUN_TESTS = set -o pipefail; rm -rf $(TEST_LOGS); mkdir -p $(TEST_LOGS); failed=; for room in $(1); do echo "testing $$room"; \
	swift test --skip-build $(2) --filter "^$$room\." $(3) 2>&1 | tee $(TEST_LOGS)/$$room || failed="$$failed $$room"; done; \
	[ -z "$$failed" ] || { echo "tests failed:$$failed"; cd $(TEST_LOGS); grep -hE '^✘|rror:' $$failed | cut -c 1-400 | head -n 100; \
		exit 1; } >&2

test: test-packages lint
	$(SWIFT_BUILD) --build-tests
	@$(call RUN_TESTS,$(ROOMS))
	/usr/bin/python3 TestVectors/generate.py --check
	$(MAKE) api-check example

# The package of a user, built against this checkout in a folder of its own: who is let in, who is not, what it needs.
example: test-packages
	swift build --package-path Docs/Examples/Backend --scratch-path .build/example
	.build/example/debug/Backend 'raw nonce of the request' $(EXAMPLE)/apple-keys.jwks 1780000031 \
		< $(EXAMPLE)/apple.token | grep '^signed in: 001234\.'
	! .build/example/debug/Backend 'another nonce' $(EXAMPLE)/apple-keys.jwks 1780000031 \
		< $(EXAMPLE)/apple.token > .build/example/refused
	grep '^refused: nonce_mismatch' .build/example/refused
	swift build --product postern
	"$$(swift build --show-bin-path)/postern" mint --audience com.example.app --nonce abc --keys-out .build/example/keys.json \
		| .build/example/debug/Backend abc .build/example/keys.json | grep '^signed in: '
	Tests/Linkage/needed.sh .build/example/debug/Backend

# A graph that is left from before would hide what was removed.
symbol-graphs: packages
	rm -rf "$(SYMBOL_GRAPHS)"
	swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members > /dev/null

# The public interface as Docs/PublicAPI.txt lists it, and the list written anew.
api-check: symbol-graphs
	$(PYTHON) Docs/public_api.py compare "$(SYMBOL_GRAPHS)" Docs/PublicAPI.txt

api: symbol-graphs
	$(PYTHON) Docs/public_api.py list "$(SYMBOL_GRAPHS)" > .build/PublicAPI.txt
	mv .build/PublicAPI.txt Docs/PublicAPI.txt

# The reference of the library product, all its modules as one. Read it with: python3 -m http.server -d .build/docs
docs: symbol-graphs
	@command -v docc >/dev/null || { echo "docc must be in PATH; it comes with the Swift toolchain" >&2; exit 1; }
	rm -rf .build/docs .build/docs-graph
	$(PYTHON) Docs/public_api.py join "$(SYMBOL_GRAPHS)" .build/docs-graph
	docc convert Docs/Postern.docc --additional-symbol-graph-dir .build/docs-graph --output-path .build/docs \
		--fallback-display-name Postern --fallback-bundle-identifier org.postern.Postern --warnings-as-errors

# The pages of the test issuer clicked through in a headless browser, which sees this machine alone; screenshots in .build/browser.
browser: packages
	$(call need,{ command -v chromium && command -v chromedriver; },chromium chromium-driver fonts-dejavu-core)
	$(call need,/usr/bin/python3 -c 'import selenium',python3-selenium)
	$(SWIFT_BUILD) --product postern
	$(PYTHON) -B Tests/Browser/issuer_pages.py .build/debug/postern .build/browser

# All of the above three times over, once with half an hour under load and ten times the races, the vectors against the
# generator's own mutants, a browser, the Debian package, sanitizers, the time of sign-ins, and a short fuzz run.
test-long: test browser test-deb
	@export POSTERN_SOAK_SECONDS=1800 POSTERN_RACE_ROUNDS=200 POSTERN_KILL_ROUNDS=300; $(call RUN_TESTS,$(ROOMS))
	@$(call RUN_TESTS,$(ROOMS))
	/usr/bin/python3 TestVectors/generate.py --mutants
	$(MAKE) test-tsan
	$(MAKE) test-asan
	$(MAKE) test-timing
	$(MAKE) fuzz FUZZ_EXECUTIONS=1000000

# Synchronization.Mutex is invisible to Thread Sanitizer: POSTERN_SANITIZE takes pthread's for it.
TSAN := --scratch-path .build-tsan --sanitize=thread -Xswiftc -DPOSTERN_SANITIZE
ASAN := --scratch-path .build-asan --sanitize=address

# Without the vectors: they are judged on one thread.
test-tsan: export TSAN_OPTIONS := halt_on_error=1
test-tsan: test-packages
	swift build --build-tests $(TSAN)
	@$(call RUN_TESTS,$(filter-out PosternVectorsTests,$(ROOMS)),$(TSAN))

# XCTest's own leaks would be reported with the others. `switchOff` judges all vectors again for each rule: once is enough.
test-asan: export ASAN_OPTIONS := detect_leaks=0
test-asan: test-packages
	swift build --build-tests $(ASAN)
	@$(call RUN_TESTS,$(ROOMS),$(ASAN),--skip OwnVectorTests/switchOff)

# Fails when a sign-in with an address that nobody has takes another processor time than one with a wrong password, by more than 2 %.
test-timing: packages
	swift build -c release --product PosternBench
	POSTERN_TIMING_LIMIT=2 .build/release/PosternBench accounts unknown

bench: packages
	swift build -c release --product PosternBench
	.build/release/PosternBench

# The daemon as it is installed, a process of its own, against a closed loop; BENCH names parts of it, all unless said.
bench-server: static
	swift build -c release --product PosternBench
	.build/release/PosternBench $(or $(ROUNDS),9) server $(STATIC)/postern $(BENCH)

# The same with accounts: refreshes, and verdicts in a storm of sign-ins.
bench-accounts: static
	swift build -c release --product PosternBench
	.build/release/PosternBench $(or $(ROUNDS),15) accounts $(or $(BENCH),daemon storm) $(STATIC)/postern

fuzz: packages
	for target in jws token json settings base64url keyset http; do \
		Tests/PosternFuzz/run.sh $$target $(FUZZ_EXECUTIONS) || exit 1; done

vectors: test-packages
	/usr/bin/python3 TestVectors/generate.py

clean:
	rm -rf .build .build-static .build-fuzz .build-tsan .build-asan
