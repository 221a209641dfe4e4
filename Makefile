# fencebench: see README.md. `make help` lists the targets.

SHELL        := /bin/bash
VERSION      := 0.1.0
BUILD        ?= build
PREFIX       ?= /usr/local
DESTDIR      ?=
CC           := gcc
OPT          ?= -O2 -g
# The machine and the explorer are most of every run.
FAST         ?= -O3
FLOORS       := base models isa ir passes codegen pto sim litmus bench
DEB_PACKAGES := pkg-config liburcu-dev libcriterion-dev libsqlite3-dev libinih-dev libxxhash-dev libjansson-dev uthash-dev gnuplot-nox patch python3
PKGS         := liburcu-cds liburcu sqlite3 inih libxxhash jansson
SOURCES       = $(foreach f,$(FLOORS),$(wildcard $(f)/*.[ch] $(f)/*/*.[ch] tests/$(f)/*.[ch])) $(wildcard tests/*.[ch] tests/speed/*.[ch] tests/fuzz/*.[ch] tests/tools/*.[ch])

# Commands are shown with V=1. As many jobs as processors, unless -j says otherwise. Several goals come one after the other
# (`make clean test`), each in parallel; files all at once.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc) --no-print-directory $(if $(V),,--silent)
ifneq ($(and $(word 2,$(MAKECMDGOALS)),$(filter-out $(BUILD)/%,$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
endif

# pkg-config runs only when something is compiled: on a fresh machine it does not exist before `deps`.
PKG_CFLAGS    = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS      = $(shell pkg-config --libs $(PKGS))
CRITERION     = $(shell pkg-config --cflags --libs criterion)
CFLAGS_ALL    = -std=gnu11 -fms-extensions -D_GNU_SOURCE -Wall -Wextra -Werror -I. -I$(BUILD) $(OPT) $(SAN) $(PKG_CFLAGS) $(CFLAGS) -pthread

lib_of        = $(BUILD)/lib$(1).a
objs_of       = $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out bench/cli/main.c,$(wildcard $(1)/*.c $(1)/*/*.c)))
# A floor and everything below it, in the order in which a linker wants them.
below_base    := base
below_models  := models base
below_isa     := isa models base
below_ir      := ir base
below_passes  := passes ir base
below_codegen := codegen passes ir isa models base
below_pto     := pto isa models base
below_sim     := sim isa models base
below_litmus  := litmus sim isa models base
below_bench   := bench litmus codegen passes ir pto sim isa models base
# Test programs of code generation run what they compile, those of litmus compile what they run.
tests_codegen  = codegen passes ir $(below_sim)
tests_pto      = pto $(tests_codegen)
tests_litmus   = litmus pto $(tests_codegen)
tests_of       = $(or $(tests_$(1)),$(below_$(1)))
# What test programs of two floors share: the generator of programs, the targets of fuzzing.
random_program := $(addprefix tests/ir/,random_program.c random_expr.c random_coverage.c helpers.c)
shared_passes := $(random_program)
shared_litmus := $(random_program) tests/fuzz/mutate.c tests/fuzz/targets.c

.DEFAULT_GOAL := all
.PHONY: all help deps build-id demo test check build-tests promote bench crosscheck properties soak programs proofs repair calibrate saving sweeps matrix sensitivity conformance fuzz results sanitize tsan format format-check floors facts install uninstall clean

## make               install what is missing, then build build/fencebench (V=1: show the commands; -j N: N jobs)
all: deps
	@$(MAKE) $(BUILD)/fencebench

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make deps          install the Debian packages that are missing (as root or through sudo)
deps:
	@bash scripts/deps.sh $(DEB_PACKAGES)

## make demo          run the main job: check, sweep, count flushes, print and plot what was found
demo: deps
	@echo "building $(BUILD)/fencebench"
	@$(MAKE) SAY=: $(BUILD)/fencebench
	@FENCEBENCH=$(BUILD)/fencebench OUT=$(BUILD)/demo bash scripts/demo.sh

## make test          build and run all tests (also: make check)
check: test
test: deps
	@$(MAKE) build-tests
	@for floor in $(FLOORS); do \
	    $(MAKE) test-$$floor || exit 1; \
	done; echo "all tests passed"

build-tests: $(BUILD)/fencebench $(foreach f,$(FLOORS),$(if $(wildcard tests/$(f)/*.c),$(BUILD)/test_$(f)))

## make promote       rewrite the expected files in tests/cases from what the program makes, and show the difference
CASE_FLOORS  := ir passes codegen litmus
promote: deps
	@$(MAKE) $(foreach f,$(CASE_FLOORS),$(BUILD)/test_$(f))
	@rm -rf $(BUILD)/cases && cp -r tests/cases $(BUILD)/cases
	@for floor in $(CASE_FLOORS); do \
	    PROMOTE=1 $(BUILD)/test_$$floor --filter 'cases/*' || failed=1; \
	done; \
	diff -ruN $(BUILD)/cases tests/cases && echo "nothing differs"; [ -z "$$failed" ]

## make bench         speed of the language, the machine (also at scale), lint and the explorer, against floors; and beside spin, where it is installed
bench: all
	@$(MAKE) $(BUILD)/speed_visited_set
	@FENCEBENCH=$(BUILD)/fencebench bash scripts/bench.sh
	@$(BUILD)/speed_visited_set
	@$(MAKE) $(BUILD)/speed_language
	@$(BUILD)/speed_language
	@FENCEBENCH=$(BUILD)/fencebench OUT=$(BUILD)/bench bash scripts/bench-lint.sh
	@FENCEBENCH=$(BUILD)/fencebench OUT=$(BUILD)/bench bash scripts/bench-scale.sh
	@FENCEBENCH=$(BUILD)/fencebench bash scripts/bench-explore.sh
	@FENCEBENCH=$(BUILD)/fencebench bash scripts/bench-spin.sh

## make crosscheck    final states of the catalogue, of generated and of random tests, the explorer's against spin's (needs spin)
crosscheck: all
	@$(MAKE) $(BUILD)/random_litmus
	@FENCEBENCH=$(BUILD)/fencebench bash scripts/crosscheck.sh --self-test
	@FENCEBENCH=$(BUILD)/fencebench bash scripts/crosscheck.sh

## make properties    the tests' properties of random inputs, on SOAK times as many
SOAK ?= 20
properties: build-tests
	@SOAK=$(SOAK) $(BUILD)/test_sim -j2 --filter '@(explore|independent|load_lines|pack)/*'
	@SOAK=$(SOAK) $(BUILD)/test_litmus -j2 --filter '@(lint|order|verdicts)/*'
	@SOAK=$(SOAK) $(BUILD)/test_bench -j2 --filter 'remedy/*'

## make soak          SOAK_RUNS runs (a million) of everything that is claimed clean, under every contract
soak: all
	@FENCEBENCH=$(BUILD)/fencebench bash scripts/soak.sh

## make programs      1,000 runs of every program in kernels/programs, by ranks and contract; results/programs*.txt
programs: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/programs.sh

## make proofs        explores every kernel at its own sizes: results/proofs.md and README
proofs: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/proofs.sh

## make repair        the markers that kernels compiled without any lack, and what they cost; results/repair.md
repair: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/repair.sh

## make calibrate     fit the costs without a public number to devices of 2 ranks, predict more (needs python3); results/calibration-*.md
calibrate: all
	@python3 scripts/calibrate.py $(BUILD)/fencebench results
	@bash scripts/embed.sh docs/calibration.md

## make saving        what batching the invalidates behind waits saves: results/flushes.md and saving.md with their pictures
saving: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/flushes.sh

## make sweeps        the default sweep, of every kernel with 2 and 4 ranks under three contracts: a page and a picture each, and the score; results/sweep
sweeps: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/sweeps.sh

## make matrix        what the tables of hazards in the facts say beside what this machine answers; results/matrix.md
matrix: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/matrix.sh

## make sensitivity   which marker matters under which contract and toolchain, and what makes the markers suffice; results/sensitivity.md
sensitivity: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/sensitivity.sh

## make conformance   PYPTO=DIR: the tests of a checkout of the compiler, asked of fencebench; results/conformance.md. PTOAS=DIR: the
##                    .pto files of a checkout of the assembler; results/conformance-ptoas.md
conformance: all
	@$(if $(PYPTO)$(PTOAS),:,echo "usage: make conformance PYPTO=DIR, PTOAS=DIR, or both"; exit 1)
	@$(if $(PYPTO),FENCEBENCH=$(BUILD)/fencebench bash scripts/conformance.sh "$(PYPTO)",:)
	@$(if $(PTOAS),FENCEBENCH=$(BUILD)/fencebench bash scripts/conformance-ptoas.sh "$(PTOAS)",:)

## make fuzz          search for inputs that break a reader with libFuzzer, FUZZ_SECONDS each (needs clang)
FUZZ_SECONDS ?= 60
FUZZ_PACKAGES := clang libclang-rt-14-dev
# An empty vector's end is NULL + 0, which clang counts as an overflow and gcc does not.
FUZZ_SOURCES   = $(foreach f,$(sort litmus pto $(below_sim) $(below_passes)),$(wildcard $(f)/*.c $(f)/*/*.c)) $(wildcard tests/fuzz/*.c)
fuzz: deps
	@bash scripts/deps.sh $(FUZZ_PACKAGES)
	@mkdir -p $(BUILD)
	clang -std=gnu11 -fms-extensions -Wno-microsoft-anon-tag -D_GNU_SOURCE -I. -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	    -fno-sanitize=pointer-overflow \
	    $(PKG_CFLAGS) $(FUZZ_SOURCES) -o $(BUILD)/fuzzer $(PKG_LIBS) -lm -pthread
	@FUZZER=$(BUILD)/fuzzer FOUND=$(BUILD)/fuzz FUZZ_SECONDS=$(FUZZ_SECONDS) bash scripts/fuzz.sh

## make results       regenerate every file in results/ and the figures that README and docs quote
results: all
	@FENCEBENCH=$(BUILD)/fencebench OUT=results bash scripts/results.sh

## make sanitize      all tests under AddressSanitizer and UndefinedBehaviorSanitizer, campaigns under ThreadSanitizer
sanitize: deps
	@LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	 $(MAKE) BUILD=$(BUILD)/asan SAN="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" OPT="-O1 -g" FAST= test
	@$(MAKE) tsan

tsan: deps
	@$(MAKE) BUILD=$(BUILD)/tsan SAN="-fsanitize=thread" OPT="-O1 -g" FAST= $(BUILD)/tsan/fencebench
	@FENCEBENCH=$(BUILD)/tsan/fencebench bash scripts/tsan.sh

## make format        format all sources; make format-check only looks
format:
	clang-format -i $(SOURCES)

format-check:
	clang-format --dry-run -Werror $(SOURCES)

## make floors        check that no file includes a floor above its own
floors:
	@bash scripts/floors.sh

## make facts         check that each fact which is cited stands in docs/facts
facts:
	@bash scripts/facts.sh

## make install       install under PREFIX (default /usr/local) below DESTDIR; make uninstall removes it
PROGRAM       = $(DESTDIR)$(PREFIX)/bin/fencebench
SHARE         = $(DESTDIR)$(PREFIX)/share
MANUAL        = $(SHARE)/man/man1/fencebench.1
COMPLETION    = $(SHARE)/bash-completion/completions/fencebench
install: all
	install -D -s -m 755 $(BUILD)/fencebench $(PROGRAM)
	@FENCEBENCH=$(BUILD)/fencebench bash scripts/manpage.sh > $(BUILD)/fencebench.1
	install -D -m 644 $(BUILD)/fencebench.1 $(MANUAL)
	install -D -m 644 scripts/completion.bash $(COMPLETION)
	@find models kernels litmus/catalogue -type f -exec install -D -m 644 {} $(SHARE)/fencebench/{} \;
	@find README.md LICENSE docs results -type f -exec install -D -m 644 {} $(SHARE)/doc/fencebench/{} \;

uninstall:
	rm -f $(PROGRAM) $(MANUAL) $(COMPLETION)
	rm -rf $(SHARE)/fencebench $(SHARE)/doc/fencebench

## make clean         remove what was built
clean:
	rm -rf $(BUILD)

# ---- compiling ----

SAY := echo

# Rewritten only when the version or the commit changes, so that an unchanged tree builds nothing.
build-id:
	@mkdir -p $(BUILD)
	@id=$$(git describe --always --dirty 2>/dev/null || echo unknown); \
	lines=$$(printf '#define VERSION "%s"\n#define BUILD_ID "%s"' $(VERSION) $$id); \
	[ "$$(cat $(BUILD)/build_id.h 2>/dev/null)" = "$$lines" ] || echo "$$lines" > $(BUILD)/build_id.h

$(BUILD)/build_id.h: build-id ;

$(BUILD)/obj/bench/campaign/cases.o $(BUILD)/obj/bench/cli/main.o: $(BUILD)/build_id.h

# The library collectives as one string each, NAME_text; the comment at a file's head is for its reader only.
builtins := $(wildcard codegen/host/builtin/*.py)
$(BUILD)/builtin_texts.h: $(builtins)
	@mkdir -p $(@D)
	for file in $^; do \
	    echo "static const char $$(basename $$file .py)_text[] ="; \
	    sed -e '/^#/d' -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n"/' $$file; \
	    echo '    ;'; \
	done > $@

$(BUILD)/obj/codegen/host/builtin.o: $(BUILD)/builtin_texts.h

$(BUILD)/obj/isa/%.o $(BUILD)/obj/sim/%.o: OPT += $(FAST)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(SAY) '  CC   $<'
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

define floor_rules
$(call lib_of,$(1)): $(call objs_of,$(1))
	@rm -f $$@
	@$(SAY) '  AR   $$@'
	ar qcs $$@ $$^
$(BUILD)/test_$(1): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/$(1)/*.c) $(shared_$(1)) $(wildcard tests/*.c)) $(foreach f,$(call tests_of,$(1)),$(call lib_of,$(f)))
	@$(SAY) '  LINK $$@'
	$$(CC) $$(CFLAGS_ALL) $$^ -o $$@ $$(PKG_LIBS) $$(CRITERION) -lm
.PHONY: test-$(1)
test-$(1):
	@$(if $(wildcard tests/$(1)/*.c),$$(MAKE) $(BUILD)/test_$(1))
	@echo "== tests/$(1)"
	@$(if $(wildcard tests/$(1)/*.c),FENCEBENCH=$(BUILD)/fencebench $(BUILD)/test_$(1) -j2 $(TEST_FLAGS))
endef
$(foreach f,$(FLOORS),$(eval $(call floor_rules,$(f))))

$(BUILD)/speed_language: $(BUILD)/obj/tests/speed/language.o $(foreach f,$(below_ir),$(call lib_of,$(f)))
	@$(SAY) '  LINK $@'
	$(CC) $(CFLAGS_ALL) $^ -o $@ $(PKG_LIBS)

$(BUILD)/speed_%: $(BUILD)/obj/tests/speed/%.o $(foreach f,$(below_sim),$(call lib_of,$(f)))
	@$(SAY) '  LINK $@'
	$(CC) $(CFLAGS_ALL) $^ -o $@ $(PKG_LIBS) -lm

$(BUILD)/random_litmus: $(patsubst %.c,$(BUILD)/obj/%.o,tests/tools/random_litmus.c tests/litmus/random_litmus.c) $(call lib_of,base)
	@$(SAY) '  LINK $@'
	$(CC) $(CFLAGS_ALL) $^ -o $@ -lm

# Linked statically, the tool starts in half the time, which is most of a small test; sanitizers need the shared libc. The
# linker warns of SQLite's extensions, which nothing here loads: what it says is shown when it fails.
STATIC = $(if $(SAN),,-static)

$(BUILD)/fencebench: $(BUILD)/obj/bench/cli/main.o $(foreach f,$(below_bench),$(call lib_of,$(f)))
	@$(SAY) '  LINK $@'
	$(CC) $(CFLAGS_ALL) $(STATIC) $^ -o $@ $(PKG_LIBS) -lm 2> $@.log || { cat $@.log >&2; exit 1; }

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
