# fencebench: see README.md. `make help` lists the targets.

SHELL       := /bin/bash
BUILD       ?= build
PREFIX      ?= /usr/local
DESTDIR     ?=
CC          ?= gcc
OPT         ?= -O2 -g
FLOORS      := base ir models sim passes litmus bench
DEB_PACKAGES := pkg-config liburcu-dev libcriterion-dev libsqlite3-dev libinih-dev libxxhash-dev libjansson-dev uthash-dev gnuplot-nox
PKGS        := liburcu-cds liburcu sqlite3 inih libxxhash jansson

# pkg-config runs only when something is compiled: on a fresh machine it does not exist before `deps`.
PKG_CFLAGS   = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS     = $(shell pkg-config --libs $(PKGS))
CRITERION    = $(shell pkg-config --cflags --libs criterion)

CFLAGS_ALL   = -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. -I$(BUILD) $(OPT) $(SAN) $(PKG_CFLAGS) $(CFLAGS) -pthread

lib_of       = $(BUILD)/lib$(1).a
objs_of      = $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out bench/main.c,$(wildcard $(1)/*.c)))
# A test program of a floor links its own floor and everything below it.
below_base   := base
below_ir     := ir base
below_models := models base
below_sim    := sim models base
below_passes := passes sim ir models base
below_litmus := litmus passes sim ir models base
below_bench  := bench litmus passes sim ir models base

.DEFAULT_GOAL := all
.PHONY: all help deps demo test bench results sanitize tsan format format-check floors install clean check-toolchain

all: deps
	@$(MAKE) --no-print-directory $(BUILD)/fencebench

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make deps          install the Debian packages that are missing (root or sudo)
deps:
	@bash scripts/deps.sh $(DEB_PACKAGES)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

define floor_rules
$(call lib_of,$(1)): $(call objs_of,$(1))
	@rm -f $$@
	ar rcs $$@ $$^
$(BUILD)/test_$(1): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/$(1)/*.c) tests/support.c) $(foreach f,$(below_$(1)),$(call lib_of,$(f)))
	$(CC) $(CFLAGS_ALL) $$^ -o $$@ $$(PKG_LIBS) $$(CRITERION) -lm
.PHONY: test-$(1)
test-$(1): $(BUILD)/test_$(1)
	@echo "== $(1)"
	@FENCEBENCH_BIN=$(BUILD)/fencebench $(BUILD)/test_$(1) $(TEST_FLAGS)
endef
$(foreach f,$(FLOORS),$(eval $(call floor_rules,$(f))))

$(BUILD)/fencebench: $(BUILD)/obj/bench/main.o $(foreach f,$(below_bench),$(call lib_of,$(f)))
	$(CC) $(CFLAGS_ALL) $^ -o $@ $(PKG_LIBS) -lm

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
