/* SPDX-License-Identifier: MIT */
#include "litmus/generate/cycle.h"

#include "base/table.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* Edges, by the role of the event that they leave. */
// clang-format off
#define POD(role) {CYCLE_PO, ROLE_##role, false}
#define POS(role) {CYCLE_PO, ROLE_##role, true}
#define RF        {CYCLE_RF, ROLE_WRITE, true}
#define FR        {CYCLE_FR, ROLE_READ, true}
#define CO        {CYCLE_CO, ROLE_WRITE, true}
#define SIG       {CYCLE_SIGNAL, ROLE_NOTIFY, true}
// clang-format on

/* diy's names where diy has the cycle. MP is the one that kernels are made of, by signal; MP.m
 * passes its flag through memory; .s is a coherence cycle through a signal. The budgets keep the
 * whole small enough to be explored in a minute. */
const struct family litmus_family_rows[] = {
    // clang-format off
    {"CoWW",   true,  9, 2, {POS(WRITE), CO}},
    {"CoWR",   true,  9, 2, {POS(WRITE), FR}},
    {"CoRW",   true,  9, 2, {POS(READ), RF}},
    {"CoRR",   false, 2, 3, {RF, POS(READ), FR}},
    {"CoRW2",  false, 3, 3, {RF, POS(READ), CO}},
    {"CoWR2",  false, 2, 3, {POS(WRITE), FR, CO}},
    {"MP",     false, 2, 4, {POD(WRITE), SIG, POD(WAIT), FR}},
    {"CoWW.s", false,  2, 4, {POD(WRITE), SIG, POD(WAIT), CO}},
    {"CoRW.s", false, 1, 4, {POD(READ), SIG, POD(WAIT), RF}},
    {"MP.m",   false, 1, 4, {POD(WRITE), RF, POD(READ), FR}},
    {"SB",     false, 2, 4, {POD(WRITE), FR, POD(WRITE), FR}},
    {"LB",     false, 2, 4, {POD(READ), RF, POD(READ), RF}},
    {"2+2W",   false, 2, 4, {POD(WRITE), CO, POD(WRITE), CO}},
    {"R",      false, 2, 4, {POD(WRITE), CO, POD(WRITE), FR}},
    {"S",      false, 1, 4, {POD(WRITE), RF, POD(READ), CO}},
    {"WRC",    false, 1, 5, {RF, POD(READ), SIG, POD(WAIT), FR}},
    {"RWC",    false, 1, 5, {RF, POD(READ), FR, POD(WRITE), FR}},
    {"ISA2",   false, 1, 6, {POD(WRITE), SIG, POD(WAIT), SIG, POD(WAIT), FR}},
    {"IRIW",   false, 1, 6, {RF, POD(READ), FR, RF, POD(READ), FR}},
    {"W+RWC",  false, 0, 6, {POD(WRITE), RF, POD(READ), FR, POD(WRITE), FR}},
    {"3.SB",   false, 0, 6, {POD(WRITE), FR, POD(WRITE), FR, POD(WRITE), FR}},
    {"3.LB",   false, 0, 6, {POD(READ), RF, POD(READ), RF, POD(READ), RF}},
    {"3.2W",   false, 0, 6, {POD(WRITE), CO, POD(WRITE), CO, POD(WRITE), CO}},
    {"Z6.0",   false, 0, 6, {POD(WRITE), RF, POD(READ), CO, POD(WRITE), FR}},
    {"Z6.1",   false, 0, 6, {POD(WRITE), CO, POD(WRITE), RF, POD(READ), CO}},
    {"Z6.2",   false, 0, 6, {POD(WRITE), RF, POD(READ), RF, POD(READ), CO}},
    {"Z6.3",   false, 0, 6, {POD(WRITE), CO, POD(WRITE), RF, POD(READ), FR}},
    {"Z6.4",   false, 0, 6, {POD(WRITE), CO, POD(WRITE), FR, POD(WRITE), FR}},
    {"Z6.5",   false, 0, 6, {POD(WRITE), CO, POD(WRITE), CO, POD(WRITE), FR}},
    // clang-format on
};
const int litmus_family_count = COUNT(litmus_family_rows);

const struct agent litmus_agents[] = {
    // clang-format off
    {"st",         ROLE_WRITE,  ROUTE_CACHED, 0, false, false, "st L, V",         ""},
    {"st.atomic",  ROLE_WRITE,  ROUTE_CACHED, 1, true,  false, "st.atomic L, V",  ""},
    {"st.dev",     ROLE_WRITE,  ROUTE_BYPASS, 1, false, false, "st.dev L, V",     ""},
    {"mte3",       ROLE_WRITE,  ROUTE_DMA,    0, false, false, "mte3 L, V",       ""},
    {"fix",        ROLE_WRITE,  ROUTE_DMA,    1, false, false, "fix L, V",        ""},
    {"tput",       ROLE_WRITE,  ROUTE_DMA,    1, false, false, "tput L, S",       ""},
    {"ld",         ROLE_READ,   ROUTE_CACHED, 0, false, false, "ld R, L",         "r"},
    {"ld.warm",    ROLE_READ,   ROUTE_CACHED, 0, false, true,  "ld R, L",         "r"},
    {"ld.dev",     ROLE_READ,   ROUTE_BYPASS, 1, false, false, "ld.dev R, L",     "r"},
    {"mte2",       ROLE_READ,   ROUTE_DMA,    0, false, false, "mte2 R, L",       "t"},
    {"tget",       ROLE_READ,   ROUTE_DMA,    1, false, false, "tget D, L",       "d"},
    {"notify.add", ROLE_NOTIFY, ROUTE_ANY,    0, false, false, "notify.add L, 1", ""},
    {"wait",       ROLE_WAIT,   ROUTE_ANY,    0, false, false, "wait L >= 1",     ""},
    // clang-format on
};
const int litmus_agent_count = COUNT(litmus_agents);

/* Orders of clean, drain and fence: all that the facts tell apart (hw-facts 1.4 to 1.7). A drain
 * says nothing about accesses that use no pipe. */
const struct placement litmus_placements[] = {
    // clang-format off
    {"none",             "",    PLACE_BETWEEN, SIDE_BOTH,    ROUTE_ANY,                 0},
    {"line",             "L",   PLACE_BETWEEN, SIDE_BOTH,    ROUTE_ANY,                 0},
    {"all",              "A",   PLACE_BETWEEN, SIDE_BOTH,    ROUTE_CACHED,              0},
    {"dsb",              "S",   PLACE_BETWEEN, SIDE_BOTH,    ROUTE_ANY,                 1},
    {"barrier",          "B",   PLACE_BETWEEN, SIDE_BOTH,    ROUTE_DMA,                 1},
    {"line.dsb",         "LS",  PLACE_BETWEEN, SIDE_BOTH,    ROUTE_CACHED,              0},
    {"dsb.line",         "SL",  PLACE_BETWEEN, SIDE_BOTH,    ROUTE_CACHED,              1},
    {"all.dsb",          "AS",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED,              1},
    {"dsb.all",          "SA",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED,              2},
    {"barrier.dsb",      "BS",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_ANY,                 0},
    {"dsb.barrier",      "SB",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_DMA,                 2},
    {"barrier.line",     "BL",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_DMA,                 2},
    {"line.barrier",     "LB",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_DMA,                 2},
    {"barrier.line.dsb", "BLS", PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED | ROUTE_DMA,   1},
    {"barrier.dsb.line", "BSL", PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED | ROUTE_DMA,   2},
    {"line.barrier.dsb", "LBS", PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED | ROUTE_DMA,   2},
    {"line.dsb.barrier", "LSB", PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED | ROUTE_DMA,   2},
    {"dsb.line.barrier", "SLB", PLACE_BETWEEN, SIDE_RELEASE, ROUTE_DMA,                 2},
    {"dsb.barrier.line", "SBL", PLACE_BETWEEN, SIDE_RELEASE, ROUTE_DMA,                 2},
    {"barrier.all.dsb",  "BAS", PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED | ROUTE_DMA,   2},
    {"other",            "O",   PLACE_BETWEEN, SIDE_ACQUIRE, ROUTE_CACHED,              1},
    {"peer",             "K",   PLACE_BETWEEN, SIDE_ACQUIRE, ROUTE_CACHED,              1},
    {"other.dsb",        "OS",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED,              1},
    {"peer.dsb",         "KS",  PLACE_BETWEEN, SIDE_RELEASE, ROUTE_CACHED,              1},
    {"early.line",       "L",   PLACE_BEFORE,  SIDE_BOTH,    ROUTE_CACHED,              1},
    {"early.line.dsb",   "LS",  PLACE_BEFORE,  SIDE_RELEASE, ROUTE_CACHED,              2},
    {"late.line.dsb",    "LS",  PLACE_AFTER,   SIDE_RELEASE, ROUTE_CACHED,              1},
    {"late.barrier.dsb", "BS",  PLACE_AFTER,   SIDE_RELEASE, ROUTE_DMA,                 1},
    // clang-format on
};
const int litmus_placement_count = COUNT(litmus_placements);

const struct home_row litmus_homes[] = {
    [HOME_FROM] = {"from", 0}, [HOME_TO] = {"to", 0}, [HOME_THIRD] = {"third", 1}};
ROW_EACH(litmus_homes, HOME_COUNT);
