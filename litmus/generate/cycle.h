/* SPDX-License-Identifier: MIT */
/* Private to litmus/: cycles of edges, and the tables that tests are generated from. */
#ifndef LITMUS_CYCLE_H
#define LITMUS_CYCLE_H

#include <stdbool.h>

#include "base/arena.h"

enum { CYCLE_MAX = 6 }; /* edges, and as many events */

/* What an event of the cycle does. */
enum event_role { ROLE_WRITE, ROLE_READ, ROLE_NOTIFY, ROLE_WAIT, ROLE_COUNT };

enum cycle_edge_kind { CYCLE_PO, CYCLE_RF, CYCLE_FR, CYCLE_CO, CYCLE_SIGNAL };

/* From event i of the cycle to event i + 1; the last one closes the cycle. */
struct cycle_edge {
    enum cycle_edge_kind kind;
    enum event_role from; /* role of event i */
    bool same;            /* program order: both ends have the same location */
};

struct family {
    const char *name;
    bool mixed; /* each access has an agent of its own; otherwise one for all writes, one for all
                   reads */
    int budget; /* the rarer choices of one test weigh no more than this together */
    int edges;
    struct cycle_edge cycle[CYCLE_MAX];
};
extern const struct family litmus_family_rows[];
extern const int litmus_family_count;

/* How an access reaches memory. */
enum route { ROUTE_CACHED = 1, ROUTE_BYPASS = 2, ROUTE_DMA = 4, ROUTE_ANY = 7 };

/* One way to make an access of a role. */
struct agent {
    const char *name;
    enum event_role role;
    enum route path;
    int weight;         /* of choosing it, against the family's budget */
    bool adds;          /* the location gets a sum: no coherence order can be read from it */
    bool warm;          /* the line is in the cache from the start of the test */
    const char *form;   /* L location, V value, S a location that holds the value, R register, D a
                           location for the result */
    const char *result; /* reads: register or location that the condition names */
};
extern const struct agent litmus_agents[];
extern const int litmus_agent_count;

enum marker_side { SIDE_RELEASE = 1, SIDE_ACQUIRE = 2, SIDE_BOTH = 3 };
enum marker_place { PLACE_BETWEEN, PLACE_BEFORE, PLACE_AFTER };

/* What stands on a program-order edge. */
struct placement {
    const char *name;
    const char *steps; /* L line, A all, O the line of another location, K the same location's line
                          of another rank; S dsb, B barrier all */
    enum marker_place place; /* between the two events, before the first, or after the second */
    int sides;               /* enum marker_side: the edges it is for */
    int paths;               /* enum route: the accesses it is for */
    int weight;              /* as an agent's */
};
extern const struct placement litmus_placements[];
extern const int litmus_placement_count;

/* Where a location lives: at the rank that its communication edge comes from or goes to, or at one
 * that runs nothing. */
enum home { HOME_FROM, HOME_TO, HOME_THIRD, HOME_COUNT };
struct home_row {
    const char *name;
    int weight; /* as an agent's */
};
extern const struct home_row litmus_homes[];

/* A cycle with all choices made. */
struct choice {
    const struct family *family;
    const struct agent *agents[CYCLE_MAX];        /* of each event */
    const struct placement *placement[CYCLE_MAX]; /* of each program-order edge, else NULL */
    enum home home;
};

/* Which location an event is at, from 0. */
int cycle_location(const struct family *f, int event);
/* May the placement that the choice has on a program-order edge stand there? */
bool cycle_placement_fits(const struct choice *c, int edge);

/* Which marker a program-order edge wants: behind a write or before a notify a release. */
enum marker_side cycle_side(const struct family *f, int edge);

const char *cycle_name(struct arena *a, const struct choice *c);
/* All of the test behind its name: locations, table, condition. Ranks and locations are numbered
 * along the cycle from event `start` on, which must be the first of its rank. */
const char *cycle_body(struct arena *a, const struct choice *c, int start);
/* Ranks of the test, with the one that runs nothing. */
int cycle_ranks(const struct choice *c);

#endif
