# Paraph: a signature pad out of any Linux touchscreen and panel. `make help` lists the goals.

SWIFT ?= swift
BUILD  = $(SWIFT) build -c release --static-swift-stdlib

# The pad's words in every language, laid out as gettext installs them.
CATALOGUES = $(patsubst config/locale/%.po,.build/locale/%/LC_MESSAGES/paraph.mo,$(wildcard config/locale/*.po))

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the programs for this machine, optimised
	@.ci/packages build
	$(BUILD)
	@$(MAKE) --no-print-directory catalogues

.PHONY: catalogues
catalogues: $(CATALOGUES) ## Compile the translations of the pad's words

.build/locale/%/LC_MESSAGES/paraph.mo: config/locale/%.po
	@mkdir -p $(@D)
	msgfmt --check -o $@ $<

.PHONY: demo
demo: ## Sign, save and deliver once, with a recorded hand (LIVE=1: with this machine's touchscreen and panel)
	@.ci/packages build
	$(BUILD)
	@.ci/demo

.PHONY: test
test: ## Run every test
	@.ci/packages test
	@.ci/packages appliance
	@$(MAKE) --no-print-directory lint
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build
	@$(MAKE) --no-print-directory embedded
	@$(MAKE) --no-print-directory appliance

.PHONY: soak
soak: ## Run the tests that break things at full length, and print their figures
	@.ci/packages test
	$(BUILD)
	$(SWIFT) build --build-tests
	PARAPH_SOAK=1 PARAPH_PROGRAMS=$(CURDIR)/.build/release $(SWIFT) test --skip-build --no-parallel \
	  --filter 'FaultTests|LoadTests|ManifestTests|HandoffProgramTests'

.PHONY: lint
lint: ## Check the format of every Swift file
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift

.PHONY: embedded
embedded: ## Compile what the daemons link as Embedded Swift for 64- and 32-bit ARM
	@.ci/packages test
	@.ci/embedded

.PHONY: appliance
appliance: ## Boot the product on a real kernel in a virtual machine and sign (TEST=name for one)
	@.ci/packages build
	@.ci/packages appliance
	$(BUILD)
	@Tests/Appliance/run $(TEST)

.PHONY: bench
bench: ## Measure beside the peers; the table is also in .build/bench.json
	@.ci/packages bench
	$(SWIFT) run -c release --package-path Tests/Bench

PREFIX     ?= /usr/local
DESTDIR    ?=
sysconfdir ?= /etc
bin         = $(DESTDIR)$(PREFIX)/bin
lib         = $(DESTDIR)$(PREFIX)/lib
share       = $(DESTDIR)$(PREFIX)/share
# Where systemd looks: pkg-config --variable=systemdsystemunitdir systemd.
unitdir    ?= /lib/systemd/system
release     = .build/release

.PHONY: install
install: build install-built ## Build and install (DESTDIR=, PREFIX=/usr/local)

.PHONY: install-built
install-built: ## Install what `make build` has built
	install -d $(bin) $(DESTDIR)$(sysconfdir)/paraph $(share)/man/man1 $(share)/man/man5 $(share)/man/man8
	install -s -m 0755 $(release)/paraph $(release)/paraphd $(release)/paraph-handoff $(bin)
	for file in paraphd paraph-handoff; do \
	  [ -e $(DESTDIR)$(sysconfdir)/paraph/$$file.conf ] || \
	    install -m 0644 config/$$file.conf $(DESTDIR)$(sysconfdir)/paraph/$$file.conf; \
	done
	install -d $(DESTDIR)$(unitdir) $(DESTDIR)/usr/lib/sysusers.d $(DESTDIR)/usr/lib/tmpfiles.d
	for unit in systemd/*; do \
	  sed 's|/usr/bin/|$(PREFIX)/bin/|' $$unit > $(DESTDIR)$(unitdir)/$${unit##*/}; \
	done
	install -d $(share)/doc/paraph/examples
	install -m 0644 udev/* $(share)/doc/paraph/examples
	install -m 0644 config/sysusers.d/paraph.conf $(DESTDIR)/usr/lib/sysusers.d
	install -m 0644 config/tmpfiles.d/paraph.conf $(DESTDIR)/usr/lib/tmpfiles.d
	for catalogue in .build/locale/*/LC_MESSAGES/paraph.mo; do \
	  install -D -m 0644 $$catalogue $(share)/locale/$${catalogue#.build/locale/}; \
	done
	install -D -m 0644 config/org.paraph.Pad.varlink $(share)/paraph/org.paraph.Pad.varlink
	for page in config/man/*.[18]; do \
	  install -m 0644 $$page $(share)/man/man$${page##*.}; \
	done
	for name in paraphd paraph-handoff; do \
	  config/man/conf-page $$name > $(share)/man/man5/$$name.conf.5; \
	done

.PHONY: deb
deb: build ## Build the Debian packages into .build/deb
	@.ci/packages deb
	rm -rf .build/deb && mkdir -p .build/deb/paraph/.build
	cp -R Makefile LICENSE config systemd $(wildcard udev) .build/deb/paraph/
	cp -R config/debian .build/deb/paraph/debian
	cp -R .build/locale .build/deb/paraph/.build/
	install -D -t .build/deb/paraph/.build/release .build/release/paraph .build/release/paraphd .build/release/paraph-handoff
	printf 'paraph (%s) unstable; urgency=medium\n\n  * Built from the sources of this version.\n\n -- The Paraph developers <paraph@packages.debian.org>  %s\n' \
	  "$$($(release)/paraphd --version | cut -d' ' -f2)" "$$(date -R)" > .build/deb/paraph/debian/changelog
	cd .build/deb/paraph && dpkg-buildpackage -b -us -uc

.PHONY: clean
clean: ## Remove what was built
	rm -rf .build Tests/Bench/.build
