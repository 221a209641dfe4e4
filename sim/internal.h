/* SPDX-License-Identifier: MIT */
/* What the files of the machine share among themselves; no other folder but its tests includes it. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "sim/machine.h"
#include "sim/oracle.h"
#include "sim/explore/pack.h"

enum { WORD = 4, GM_PAGE = 4096 };

static inline uint64_t line_of(const struct machine *m, uint64_t addr)
{
    return addr & ~(uint64_t)(m->contract->line - 1);
}

static inline uint8_t *gm_at(const struct machine *m, uint64_t addr)
{
    return m->gm[gm_rank(addr)] + gm_offset(addr);
}

/* The same for len bytes that are about to change. */
static inline uint8_t *gm_write(struct machine *m, uint64_t addr, uint64_t len)
{
    uint64_t *written = m->written[gm_rank(addr)];
    for (uint64_t page = gm_offset(addr) / GM_PAGE; page * GM_PAGE < gm_offset(addr) + len; page++)
        written[page / 64] |= (uint64_t)1 << page % 64;
    return gm_at(m, addr);
}

static inline uint64_t gm_unit(const struct machine *m, uint64_t addr)
{
    return gm_offset(addr) / (uint64_t)m->grain;
}

static inline uint32_t prov_of(const struct machine *m, uint64_t addr)
{
    return node_map_get(&m->prov[gm_rank(addr)], gm_unit(m, addr));
}

static inline uint32_t *prov_at(const struct machine *m, uint64_t addr)
{
    return node_map_at(&m->prov[gm_rank(addr)], gm_unit(m, addr));
}

static inline void prov_read(const struct machine *m, uint64_t addr, uint64_t units, uint32_t *out)
{
    node_map_read(&m->prov[gm_rank(addr)], gm_unit(m, addr), units, out);
}

static inline uint8_t *slot_data(const struct machine *m, const struct cache *c, int slot)
{
    return c->data + (size_t)slot * (size_t)m->contract->line;
}

static inline uint32_t *slot_prov(const struct machine *m, const struct cache *c, int slot)
{
    return c->prov + (size_t)slot * (size_t)m->units;
}

static inline int64_t operand_value(const struct core *c, struct operand o)
{
    return o.reg == NO_REG ? o.imm : c->regs[o.reg];
}

/* ---- cache.c ---- */

/* Slot of addr's line, filled from GM when absent or without data; the caller has checked
 * cache_fill_allowed. */
int cache_fill(struct machine *m, int core, uint64_t addr);
/* All words of the access are in the core's cache. */
bool cache_holds(const struct machine *m, int core, uint64_t addr, int size);
/* None of the core's own scalar-path messages to addr's line is in flight. */
bool cache_fill_allowed(const struct machine *m, int core, uint64_t addr);
/* Writes back what is dirty (by contract) and drops the line. */
void cache_clean_drop(struct machine *m, int core, int slot);
/* Slot for a line that is absent, without data. May evict. */
int cache_allocate(struct machine *m, int core, uint64_t line);
/* acquires: it is the invalidate behind a wait, and the lines that it drops are remembered. */
void cache_dcci(struct machine *m, int core, uint64_t addr, bool acquires);
void cache_dcci_all(struct machine *m, int core, bool acquires);
/* Whether the line at addr would be there but for such an invalidate. Asked once: it is forgotten. */
bool cache_take_flushed(struct machine *m, int core, uint64_t addr);
void cache_reset(struct machine *m, struct cache *c);
/* The slots in use in ascending order of their lines; out holds nvalid entries. */
void cache_order(const struct cache *c, int *out);

/* ---- fabric.c ---- */

/* An empty message of core on path, to be filled and given to fabric_post. */
struct message *fabric_message(struct machine *m, int core, enum path path, uint64_t addr,
                               uint32_t len);
void fabric_post(struct machine *m, struct message *msg);
/* Posts the end of the core's last task to memory. */
void fabric_report_end(struct machine *m, int core);
/* Puts a message of a packed state back in flight, behind those restored before it. */
void fabric_restore(struct machine *m, struct message *msg);
void fabric_deliver(struct machine *m, int channel);
/* Forgets what a core has in flight. */
void fabric_clear(struct machine *m, int core);
/* The channels with messages in ascending order; out holds nactive entries. */
void fabric_order(const struct machine *m, int *out);
/* Those of one core, which stand next to each other in that order; their number is returned. */
int fabric_order_core(const struct machine *m, int core, int *out);
int fabric_channel_count(const struct machine *m);
/* Whose memory the messages of a channel go to. */
int fabric_channel_rank(const struct machine *m, int channel);
/* Nothing is in flight but lines that left a cache after the run's end. */
bool fabric_only_after_end(const struct machine *m);
/* Messages of the path have a channel for each line, not for each rank. */
bool fabric_per_line(const struct machine *m, enum path path);
int lines_per_rank(const struct machine *m);

/* ---- what dsb and barrier wait for ---- */

/* Messages of that path to memory of another rank, or of the own (hw-facts 8.2). */
static inline bool dsb_waits_for(const struct contract *k, enum path path, bool remote)
{
    return !(k->broken & BROKEN_DSB_NO_WAIT) &&
           (path == PATH_SCALAR || k->dsb_waits != DSB_SCALAR) &&
           (!remote || k->ack == ACK_DESTINATION);
}

static inline bool dsb_waits_for_pipes(const struct contract *k)
{
    return !(k->broken & BROKEN_DSB_NO_WAIT) && k->dsb_waits == DSB_ALL_DMA;
}

/* The pipe, by a barrier of `which`, which is a pipe or PIPE_ALL. */
static inline bool barrier_waits_for(const struct contract *k, int which, int pipe)
{
    return which == PIPE_ALL ? !(k->broken & BROKEN_BARRIER_NO_DRAIN)
                             : which == pipe && k->pipe_barrier != BARRIER_QUEUE_LOCAL;
}

/* ---- pipes.c ---- */

/* Empties a queue and frees what its operations hold. */
void pipe_queue_clear(const struct machine *m, struct pipe_queue *q);
void pipe_issue(struct machine *m, int core, int pipe, const struct insn *i);
bool pipe_has_room(const struct machine *m, int core, int pipe);
bool pipes_empty(const struct core *c);
bool pipe_head_enabled(const struct machine *m, int core, int pipe);
void pipe_step(struct machine *m, int core, int pipe);
/* Entries of op->expected, when it has any. */
uint32_t pipe_expected_units(const struct machine *m, int core, const struct pipe_op *op);
/* The tile that a queued operation writes, or -1. */
int pipe_tile_of(const struct code *code, const struct pipe_op *op);
/* insn has given the tile the content of that version. */
void tile_written(struct tile_state *t, uint32_t version, int insn, const int64_t *loops);

/* ---- cross.c ---- */

/* The ids that the program's instructions use, as bits. */
uint32_t cross_ids(const struct program *p);
/* The set at the head of core's pipe may be performed. */
bool cross_set_ready(const struct machine *m, int core, int pipe);
/* insn of core sets a flag; node: oracle, what it tells. */
void cross_set(struct machine *m, int core, int insn, uint32_t node);
/* The flag is up for core. */
bool cross_up(const struct machine *m, int core, int id);
/* Core takes it at its pc. */
void cross_take(struct machine *m, int core, int id);
/* Core's pipes stand still because its scalar unit waits for a flag, by contract. */
bool cross_stalls(const struct machine *m, int core);
/* Some flag was set more often than its counter holds. */
bool cross_overflown(const struct machine *m);

/* ---- scalar.c ---- */

/* Bytes from addr on may be accessed by i: they stay in its tensor, or without one in a rank's
 * memory. */
bool in_memory(const struct machine *m, int core, const struct insn *i, uint64_t addr,
               uint64_t span);
bool scalar_enabled(const struct machine *m, int core);
void scalar_step(struct machine *m, int core);
/* Runs local instructions until the core stands at one that others can notice. */
void scalar_advance(struct machine *m, int core);
/* The core goes to the start of its next task, or has ended when there is none. */
void scalar_take_task(struct machine *m, int core);

/* The core may have ended once it has taken the instruction it stands at. */
bool may_end_core(const struct machine *m, int core);

/* ---- leftover.c: findings of a machine with an oracle ---- */

/* Core is about to issue the set_flag at its pc. */
void leftover_set_flag(struct machine *m, int core);
/* Core's task ends at its pc. */
void leftover_end(struct machine *m, int core);

/* ---- oracle_pack.c ---- */

/* The oracle's part of a packed state; words: the addresses that may change. */
void oracle_pack(const struct oracle *o, const struct machine *m, const uint64_t *words,
                 size_t nwords, struct pack_buffer *b);
void oracle_unpack(struct oracle *o, struct machine *m, const uint64_t *words, size_t nwords,
                   const uint8_t **in);

/* The same of one node, for an oracle that follows a course: there an access has one number. */
void oracle_store_ref(const struct oracle *o, uint32_t node, struct pack_buffer *b);
uint32_t oracle_load_ref(struct oracle *o, const uint8_t **in);

/* ---- tile.c ---- */

/* With the operands that were read when it was issued. */
void tile_op_run(const struct code *code, uint8_t *tiles, const struct tile_op *op,
                 const struct pipe_op *issued);

#endif
