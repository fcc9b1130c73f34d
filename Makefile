# Paraph: a signature pad out of any Linux touchscreen and panel. `make help` lists the goals.

# A recipe of Yocto or Buildroot needs three lines: config/installing.md.
SWIFT      ?= swift
# Of a toolchain for another machine, which brings the libraries too.
SWIFTFLAGS ?=
STRIP      ?= strip
# Without the linker's checksum: it is of the debugging information too, which names the folder of the build.
BUILD       = $(SWIFT) build -c release --static-swift-stdlib -Xlinker --build-id=none $(SWIFTFLAGS)
# Of tests: the debugging information takes a seventh of the compiler's time. `swift build` makes it for a debugger.
BUILD_DEBUG = $(SWIFT) build -debug-info-format none

# The folder of paraph-web's pages. `make build` makes this one; another is installed as it is; empty: no pages.
WEBPAGES   ?= .build/web
# The compiler of a recipe need not be in PATH.
pages       = $(if $(filter .build/web,$(WEBPAGES)),SWIFT='$(SWIFT)' .ci/web)

# The pad's words in every language, laid out as gettext installs them.
CATALOGUES = $(patsubst config/locale/%.po,.build/locale/%/LC_MESSAGES/paraph.mo,$(wildcard config/locale/*.po))

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Other goals install what they need by this one, so that they work on a fresh machine.
FOR ?= build demo test appliance
.PHONY: deps
deps: ## Install missing Debian packages and print why (FOR="bench boards": for these goals)
	@.ci/packages $(FOR)

.PHONY: build
build: ## Build the programs for this machine, optimised
	@[ -n '$(SWIFTFLAGS)' ] || .ci/packages --check build
	$(BUILD)
	@$(MAKE) --no-print-directory catalogues
	@$(pages)

# Part of the sources, so that a board's recipe needs no program that runs where it is built.
.PHONY: documents
documents: ## Write manual pages, completions and README's animation after options or the ink have changed
	$(BUILD) --product paraph
	@mkdir -p config/completions
	@for program in $(programs); do \
	  for shell in bash zsh fish; do \
	    $(release)/paraph generate $$shell $$program >.build/document && \
	      cp .build/document config/completions/$$program.$$shell || exit 1; \
	  done; \
	  for page in config/man/$$program.[18].in; do \
	    $(release)/paraph generate man $$program --template $$page >.build/document && \
	      cp .build/document $${page%.in} || exit 1; \
	  done; \
	done
	@# Without the touch of Done.
	awk '$$1 != "E:" || $$2 < 5.5' Tests/Fixtures/signature.evemu >.build/hand.evemu
	$(release)/paraph render .build/hand.evemu --animate -o config/pictures/ink.svg

.PHONY: catalogues
catalogues: $(CATALOGUES) ## Compile the translations of the pad's words

.build/locale/%/LC_MESSAGES/paraph.mo: config/locale/%.po
	@mkdir -p $(@D)
	msgfmt --check -o $@ $<

.PHONY: demo
demo: ## Sign, save and deliver once, with a recorded hand (LIVE=1: by this machine's touchscreen and panel; WEB=1: for a browser; SEAL=1: sealed)
	@$(MAKE) --no-print-directory deps FOR=demo
	$(BUILD)
	@$(if $(WEB),SWIFT='$(SWIFT)' .ci/web)
	@.ci/demo

.PHONY: test
test: ## Run every test, and list those that this machine skips
	@$(MAKE) --no-print-directory deps FOR='test appliance bench-board'
	@rm -rf .build/reports && mkdir -p .build/reports
	@$(MAKE) --no-print-directory lint
	@# One graph: the compiler waits for one module at a time for a third of a build, and tests of programs wait most of
	@# the time. Other builds run meanwhile, and are usually done before the first virtual machine is booted.
	@$(MAKE) --no-print-directory -j4 IN_TEST=1 appliance-tests embedded instructions
	@.ci/skipped .build/reports

.PHONY: test-build
test-build:
	$(BUILD_DEBUG) --build-tests

.PHONY: unit-tests
unit-tests:
	@.ci/unit

.PHONY: web-tests
web-tests:
	@Tests/Web/run

# The largest of those that tests import: pip needs a minute for them. Without them, tests are skipped or fail.
.PHONY: python-packages
python-packages:
	-@Tests/HandoffTests/Servers/store.sh
	-@Tests/Web/service/run --install
	-@Tests/Web/pages/run --install

# With the programs of the unit tests, whose model, raster and display are optimised too: another build takes five minutes.
# `make appliance` boots the release build.
.PHONY: appliance-tests
appliance-tests:
	@SWIFT='$(SWIFT)' .ci/appliance-programs
	@# Tests call make as a user does.
	@unset MAKEFLAGS MFLAGS IN_TEST; PARAPH_PROGRAMS=$(CURDIR)/.build/appliance/bin Tests/Appliance/run

ifdef IN_TEST
unit-tests web-tests: test-build python-packages
# Virtual machines would be late beside a browser.
appliance-tests: unit-tests web-tests
# Each keeps a processor busy.
instructions: embedded
endif

.PHONY: check
check: lint ## Check the format and run the unit tests, for use while developing
	$(BUILD_DEBUG) --build-tests
	@.ci/unit

.PHONY: soak
soak: ## Run the tests that break things at full length, and print their figures (half an hour or more)
	@$(MAKE) --no-print-directory deps FOR='test appliance token'
	$(BUILD)
	$(BUILD_DEBUG) --build-tests
	PARAPH_SOAK=1 PARAPH_PROGRAMS=$(CURDIR)/.build/release $(SWIFT) test --skip-build --no-parallel \
	  --filter 'FaultTests|LoadTests|ManifestTests|KillTests|FuzzTests|SealKeyTests|TouchTests.RecordingTests'
	PARAPH_SOAK=1 LEAKS=1 $(MAKE) --no-print-directory sanitize UNDER=address TESTS='^(InkTests|RasterTests|SignatureTests|PNGTests)\.'
	$$($(SWIFT) build --show-bin-path)/simulation --week 50000
	PARAPH_SOAK=1 Tests/Appliance/run power_cuts
	.ci/token || [ $$? = 77 ]
	for test in '' _larger _killed; do Tests/Appliance/run simpledrm_replaced$$test || [ $$? = 77 ] || exit 1; done

.PHONY: token
token: ## Sign by a key in a PKCS #11 token (softhsm2) beside Debian 13's OpenSSL; needs root
	@$(MAKE) --no-print-directory deps FOR=token
	$(BUILD) --product paraph-seal
	@.ci/token

.PHONY: fleet
fleet: ## Deliver from 300 pads to clusters of RabbitMQ and SeaweedFS that fail (TEST=name for one; PADS=number); needs root
	@$(MAKE) --no-print-directory deps FOR=fleet
	$(BUILD) --product paraph-handoff
	$(BUILD) --product spool-driver
	@PADS='$(PADS)' Tests/Fleet/run $(TEST)

# Each sanitizer has a build of its own, and covers the tests and the programs that they start.
UNDER ?= address thread
.PHONY: sanitize
sanitize: ## Run all tests and the demo under the address and the thread sanitizer, C checked for undefined behaviour (UNDER=thread; TESTS=pattern)
	@$(MAKE) --no-print-directory deps FOR=test
	@status=0; for sanitizer in $(UNDER); do \
	  SWIFT='$(SWIFT)' .ci/sanitize $$sanitizer $(if $(TESTS),'$(TESTS)') || status=1; done; exit $$status

.PHONY: proof
proof: ## Search for unknown defects: sanitizers, fuzzers, simulation (ONLY="fuzz simulate")
	@$(MAKE) --no-print-directory deps FOR=test
	@MAKE='$(MAKE)' SWIFT='$(SWIFT)' .ci/proof $(ONLY)

.PHONY: instructions
instructions: ## Count the instructions of ink, rasteriser, canvas and PNG on this machine and on boards, and fail where they are 5 % worse than Tests/Bench/baseline.json
	@$(MAKE) --no-print-directory deps FOR='test bench-board'
	@status=0; SWIFT='$(SWIFT)' Tests/Bench/instructions.py || status=1; \
	  for board in arm64 armhf; do .ci/bench-board $$board --compare || status=1; done; exit $$status

# How long each target is fuzzed.
SECONDS ?= 60

.PHONY: fuzz
fuzz: ## Fuzz each target for a minute, with libFuzzer and the address sanitizer (SECONDS=, TARGETS="fill web")
	@$(MAKE) --no-print-directory deps FOR=test
	@SWIFT='$(SWIFT)' Tests/Fuzz/run $(SECONDS) $(TARGETS)

# How long histories are simulated.
MINUTES ?= 1

.PHONY: simulate
simulate: ## Simulate histories of the daemons on a machine in memory (MINUTES=1, or SEEDS="7 12" for these)
	@$(MAKE) --no-print-directory deps FOR=test
	$(BUILD_DEBUG) --product simulation
	@simulation=$$($(SWIFT) build --show-bin-path)/simulation; \
	  $(if $(SEEDS),for seed in $(SEEDS); do $$simulation --seed $$seed || exit 1; done, \
	    $$simulation --seed $$(date +%s) --seconds $$(($(MINUTES) * 60)))

# One seed is one set of changes: another finds others.
SEED ?= 1
.PHONY: mutants
mutants: ## Change one operator, bound or statement at a time, and print those that the tests of their module miss (SEED=, ONLY="Ink Spool")
	@$(MAKE) --no-print-directory deps FOR=test
	@SWIFT='$(SWIFT)' Tests/with-python.sh 'tree-sitter-swift[core]==0.7.4' Tests/Mutants/run.py --seed $(SEED) \
	  $(if $(ONLY),--only $(ONLY))

.PHONY: lint
lint: ## Check the format of every Swift file
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift

.PHONY: embedded
embedded: ## Check that the programs are Embedded Swift for 32-bit ARM, and Ink and Raster for 64-bit; build the browser's ink
	@$(MAKE) --no-print-directory deps FOR=test
	@# First, for the pages of the web's tests.
	@.ci/wasm
	@.ci/embedded --check

.PHONY: web
web: ## Test paraph-web and its pages, in Chromium
	@$(MAKE) --no-print-directory deps FOR=test
	$(BUILD_DEBUG)
	@Tests/Web/run

.PHONY: appliance
appliance: ## Boot the product on a real kernel in a virtual machine and sign (TEST=name for one)
	@$(MAKE) --no-print-directory deps FOR='build appliance'
	$(BUILD)
	@Tests/Appliance/run $(TEST)

.PHONY: boards
boards: ## Build the programs for 64- and 32-bit ARM, print their sizes, run the core's tests, and sign
	@$(MAKE) --no-print-directory deps FOR=boards
	$(BUILD)
	@.ci/boards
	@.ci/boards-tests
	@Tests/Appliance/run signature
	@for board in arm64 armhf arm64-swift; do ARCHITECTURE=$$board Tests/Appliance/run $(TEST) || exit 1; done

.PHONY: image
image: ## Boot Debian with the packages installed by dpkg (ARCH=arm64|armhf: Debian 13; TEST=name for one); needs root
	@$(MAKE) --no-print-directory deps FOR=image
	@mkdir -p .build
	@.ci/deb '$(ARCH)' '$(SUITE)' >.build/deb.log 2>&1 || { cat .build/deb.log; exit 1; }
	@IMAGE=1 ARCHITECTURE='$(ARCH)' RELEASE='$(SUITE)' Tests/Appliance/run $(TEST)
image: SUITE = $(if $(filter arm%,$(ARCH)),trixie)

.PHONY: card
card: BOARD ?= virt
card: ## Build and check a card for a board and its update in .build/card (BOARD=rpi|virt); needs root
	@$(MAKE) --no-print-directory deps FOR=card
	@mkdir -p .build
	@.ci/deb arm64 trixie >.build/deb.log 2>&1 || { cat .build/deb.log; exit 1; }
	@.ci/card $(BOARD)
	@CARD=1 ARCHITECTURE=arm64 RELEASE=trixie Tests/Appliance/run layout_$(BOARD)

.PHONY: card-test
card-test: ## Boot the card of QEMU's board, sign, update it and cut its power (TEST=name for one); needs make card BOARD=virt
	@$(MAKE) --no-print-directory deps FOR=card
	@CARD=1 ARCHITECTURE=arm64 RELEASE=trixie Tests/Appliance/run $(TEST)
	@$(if $(TEST),,CARD=1 ARCHITECTURE=arm64 RELEASE=trixie Tests/Appliance/run card_cuts)

.PHONY: screens
screens: ## Draw every state of the pad on four panels, in every language and, in English and Arabic, in two themes, into .build/screens*.png
	@$(MAKE) --no-print-directory deps FOR=test
	$(BUILD_DEBUG) --build-tests
	PARAPH_SCREENS=$(CURDIR)/.build/screens.png $(SWIFT) test --skip-build --filter ScreensTests
	@echo "screens    $(CURDIR)/.build/screens.png, screens-dark.png, screens-landscape.png"

.PHONY: bench
bench: ## Measure beside the peers into .build/bench.json (ROWS="models touches": these; ARCH=arm64|armhf: in instructions; SIGNATURE_PAD=folder: the canvas beside that one)
ifneq ($(ARCH),)
	@$(MAKE) --no-print-directory deps FOR=bench-board
	@.ci/bench-board '$(ARCH)' $(ROWS)
else
	@$(MAKE) --no-print-directory deps FOR=bench
	$(BUILD) --product paraphd
	$(BUILD) --product paraph-seal
	$(BUILD) --product paraph-web
	@.ci/web
	$(SWIFT) run -c release --package-path Tests/Bench Bench $(ROWS)
endif

PREFIX     ?= /usr/local
DESTDIR    ?=
sysconfdir ?= /etc
bin         = $(DESTDIR)$(PREFIX)/bin
share       = $(DESTDIR)$(PREFIX)/share
# Where systemd and udev look: pkg-config --variable=systemdsystemunitdir systemd, --variable=udevdir udev.
unitdir    ?= /lib/systemd/system
udevdir    ?= /lib/udev
zshdir     ?= $(PREFIX)/share/zsh/site-functions
release    ?= .build/release
# The programs as Embedded Swift: release=.build/boards/bin/armhf-bookworm
programs   ?= paraph paraphd paraph-handoff paraph-seal paraph-web
# Standard input into a file that everybody can read, whatever the umask.
readable    = install -m 0644 /dev/stdin

.PHONY: install
install: build install-built ## Build and install (DESTDIR=, PREFIX=/usr/local)

.PHONY: install-built
install-built: install-configuration install-system install-documents install-pages ## Install what `make build` has built
	install -d $(bin)
	install -s --strip-program=$(STRIP) -m 0755 $(addprefix $(release)/,$(programs)) $(bin)
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || $(MAKE) --no-print-directory install-running

# Where a distribution has systemd's hwdb in /usr, none is made in /etc: it would take precedence over later updates.
hwdb = { [ ! -e /usr/lib/udev/hwdb.bin ] || systemd-hwdb --usr update; } && \
  { [ -e /usr/lib/udev/hwdb.bin ] && [ ! -e /etc/udev/hwdb.bin ] || systemd-hwdb update; }

# What a boot would do, or a package's scripts: users, folders, names and settings of devices, and the new programs for
# daemons that run.
.PHONY: install-running
install-running:
	systemd-sysusers paraph.conf
	systemd-tmpfiles --create paraph.conf
	$(hwdb)
	systemctl daemon-reload
	-udevadm control --reload
	-udevadm trigger --action=change --subsystem-match=input --subsystem-match=drm
	systemctl try-restart paraph-seal.socket paraph-web.socket paraphd paraph-handoff paraph-web || \
	  echo "install: a service did not start again; see systemctl status 'paraph*'" >&2

# Configuration, signatures and users stay.
.PHONY: uninstall
uninstall: ## Stop the services, and remove what install has installed (the same DESTDIR=, PREFIX=)
	@$(if $(DESTDIR),:,[ ! -d /run/systemd/system ] || \
	  for unit in paraphd paraph-handoff paraph-web.socket paraph-seal.socket; do \
	    systemctl disable --now $$unit || true; \
	  done)
	rm -f $(addprefix $(bin)/,$(programs)) $(addprefix $(DESTDIR)$(unitdir)/,$(notdir $(wildcard systemd/*)))
	rm -f $(DESTDIR)$(udevdir)/rules.d/70-paraph.rules $(DESTDIR)$(udevdir)/hwdb.d/60-paraph-touch.hwdb
	rm -f $(DESTDIR)/usr/lib/sysusers.d/paraph.conf $(DESTDIR)/usr/lib/tmpfiles.d/paraph.conf
	rm -rf $(share)/paraph $(share)/doc/paraph
	rm -f $(share)/locale/*/LC_MESSAGES/paraph.mo $(addsuffix .conf.5,$(addprefix $(share)/man/man5/,$(programs)))
	for program in $(programs); do \
	  rm -f $(share)/man/man[18]/$$program.[18] $(share)/bash-completion/completions/$$program \
	    $(DESTDIR)$(zshdir)/_$$program $(share)/fish/vendor_completions.d/$$program.fish; \
	done
	@$(if $(DESTDIR),:,[ ! -d /run/systemd/system ] || { systemctl daemon-reload; $(hwdb); })

# The daemons look for words and pages in /usr unless the configuration names another place.
moved = $(if $(filter /usr,$(PREFIX)),,s|^\#\(catalogues = \)/usr/|\1$(PREFIX)/|; s|^\#\(pages = \)/usr/|\1$(PREFIX)/|)

.PHONY: install-configuration
install-configuration:
	install -d $(DESTDIR)$(sysconfdir)/paraph
	for file in paraphd paraph-handoff paraph-web; do \
	  [ -e $(DESTDIR)$(sysconfdir)/paraph/$$file.conf ] || \
	    sed '$(moved)' config/$$file.conf | $(readable) $(DESTDIR)$(sysconfdir)/paraph/$$file.conf; \
	done

.PHONY: install-system
install-system:
	install -d $(DESTDIR)$(unitdir) $(DESTDIR)$(udevdir)/rules.d $(DESTDIR)$(udevdir)/hwdb.d
	for unit in systemd/*; do \
	  sed 's|/usr/bin/|$(PREFIX)/bin/|' $$unit | $(readable) $(DESTDIR)$(unitdir)/$${unit##*/}; \
	done
	install -m 0644 udev/70-paraph.rules $(DESTDIR)$(udevdir)/rules.d
	install -m 0644 udev/60-paraph-touch.hwdb $(DESTDIR)$(udevdir)/hwdb.d
	install -D -m 0644 config/sysusers.d/paraph.conf $(DESTDIR)/usr/lib/sysusers.d/paraph.conf
	install -D -m 0644 config/tmpfiles.d/paraph.conf $(DESTDIR)/usr/lib/tmpfiles.d/paraph.conf

# Links of the pages to what is installed elsewhere, or only part of the sources.
relinked = -e 's|](\(paraph[a-z-]*\.conf\))|]($(sysconfdir)/paraph/\1)|g' \
  -e 's|](org\.|](../../paraph/org.|g' -e 's|\[\([^]]*\)\](\.\./Sources/README\.md)|\1|'

.PHONY: install-documents
install-documents:
	install -d $(share)/man/man1 $(share)/man/man5 $(share)/man/man8 $(share)/doc/paraph/examples
	install -d $(share)/doc/paraph/pictures $(share)/doc/paraph/fleet
	install -m 0644 config/fleet/* $(share)/doc/paraph/fleet
	install -m 0644 config/examples/* $(share)/doc/paraph/examples
	sed 's|/usr/share/|$(PREFIX)/share/|' config/examples/development.conf | \
	  $(readable) $(share)/doc/paraph/examples/development.conf
	install -m 0644 config/pictures/models.png config/pictures/themes.png $(share)/doc/paraph/pictures
	for page in config/*.md; do \
	  sed $(relinked) $$page | $(readable) $(share)/doc/paraph/$${page##*/}; \
	done
	for catalogue in .build/locale/*/LC_MESSAGES/paraph.mo; do \
	  install -D -m 0644 $$catalogue $(share)/locale/$${catalogue#.build/locale/}; \
	done
	install -D -m 0644 config/org.paraph.Pad.varlink $(share)/paraph/org.paraph.Pad.varlink
	for page in config/man/*.[18]; do \
	  sed 's|/usr/share/|$(PREFIX)/share/|' $$page | $(readable) $(share)/man/man$${page##*.}/$${page##*/}; \
	done
	for name in paraphd paraph-handoff paraph-web; do \
	  config/man/conf-page $$name | $(readable) $(share)/man/man5/$$name.conf.5; \
	done
	for program in $(programs); do \
	  install -D -m 0644 config/completions/$$program.bash $(share)/bash-completion/completions/$$program; \
	  install -D -m 0644 config/completions/$$program.zsh $(DESTDIR)$(zshdir)/_$$program; \
	  install -D -m 0644 config/completions/$$program.fish $(share)/fish/vendor_completions.d/$$program.fish; \
	done

.PHONY: install-pages
install-pages:
	$(if $(WEBPAGES),install -d $(share)/paraph/web)
	$(if $(WEBPAGES),install -m 0644 $(WEBPAGES)/* $(share)/paraph/web)

.PHONY: deb
deb: ## Build the Debian packages into .build/deb (ARCH=amd64|arm64|armhf SUITE=bookworm|trixie: into a folder below it)
	@$(MAKE) --no-print-directory deps FOR=deb
	@.ci/deb '$(ARCH)' '$(SUITE)'

.PHONY: reproducible
reproducible: ## Build the Debian packages twice, in two folders, and compare their bytes (ARCH=, SUITE=; BOARD=rpi|virt: a card)
	@$(MAKE) --no-print-directory deps FOR=$(if $(BOARD),card,deb)
	@.ci/reproducible $(if $(BOARD),card '$(BOARD)','$(ARCH)' '$(SUITE)')

.PHONY: clean
clean: ## Remove what was built
	rm -rf .build Tests/Bench/.build
