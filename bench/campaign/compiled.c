/* SPDX-License-Identifier: MIT */
#include "bench/campaign/compiled.h"

#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "bench/campaign/build_dir.h"
#include "pto/compile.h"
#include "pto/emit.h"
#include "pto/scale.h"
#include "pto/words.h"

bool compiled_is(const char *path)
{
    const char *suffix = strrchr(path, '.');
    return (suffix && !strcmp(suffix, ".pto")) || build_dir_is(path);
}

/* Where its names are looked up: the command line wins over directives. */
struct outside {
    struct arena *arena;
    const struct directives *directives;
    const struct kernel_options *options;
    const struct build_dir *build;
    struct build_runs *runs;
    int nranks;
};

/* Where the kernel's text is, and its tasks. */
struct reading {
    const struct pto_file *file;
    const struct pto_file *run; /* the same, with the constants that are scaled */
    pto_tasks tasks;
    pto_pairs contexts, joins;
    const struct build_dir *build; /* or NULL */
};

static const struct reading *reading_of(const struct kernel *k)
{
    return k->read;
}

static const struct binding *last_binding(const struct binding *all, size_t n, const char *name)
{
    while (n-- > 0)
        if (!strcmp(all[n].name, name))
            return &all[n];
    return NULL;
}

/* What the command line says of a dimension says no word in front. */
static const struct binding *find_binding(const struct outside *o, const char *name)
{
    const struct binding *said =
        last_binding(o->directives->args.items, o->directives->args.len, name);
    const char *plain = said && !strncmp(name, "dim ", 4) ? name + 4 : name;
    const struct binding *given = last_binding(o->options->args, o->options->nargs, plain);
    return given ? given : said;
}

static enum pto_answer value_of(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    const struct outside *o = ctx;
    const struct binding *b = find_binding(o, name);
    if (!b)
        return PTO_UNKNOWN;
    return binding_eval(o->arena, b, rank, o->nranks, out, d) ? PTO_GIVEN : PTO_WRONG;
}

static enum pto_answer element_of(void *ctx, const char *name, int rank, int64_t element,
                                  int64_t *out, struct diag *d)
{
    const struct outside *o = ctx;
    const struct binding *b = find_binding(o, name);
    if (!b)
        return PTO_UNKNOWN;
    return binding_eval_element(b, rank, o->nranks, element, out, d) ? PTO_GIVEN : PTO_WRONG;
}

static bool wrong(void *ctx, const char *name, const char *why, struct diag *d)
{
    const struct binding *b = find_binding(ctx, name);
    if (b && why)
        diag_error(d, b->source, b->at, "%s", why);
    return b;
}

/* The other scalars that nobody gives and that the orchestration does not know either. */
static const char *others_unknown(const struct outside *o, int task, int scalar)
{
    struct strbuf b = strbuf_make(o->arena);
    for (int t = task; t < (int)o->build->tasks.len; t++)
        for (int k = t == task ? scalar + 1 : 0;; k++) {
            struct diag quiet = {.arena = o->arena};
            struct chip_number n;
            const struct pto_task *of = &o->build->tasks.items[t];
            const char *name = arena_printf(o->arena, "%s.arg%d", of->name, of->ntensors + k);
            if (!build_dir_scalar(o->build, o->runs, t, k, 0, &n, &quiet) || (!n.known && !n.why))
                break;
            if (!n.known && !n.maybe_context && !find_binding(o, name))
                strbuf_addf(&b, "%s%s", b.len ? ", " : " (nor are those of ", name);
        }
    if (b.len)
        strbuf_add(&b, ")");
    return b.len ? b.text : "";
}

static enum pto_answer recorded_scalar(void *ctx, int task, int arg, const char *name, int rank,
                                       int64_t *out, struct diag *d)
{
    const struct outside *o = ctx;
    struct chip_number n;
    int scalar = arg - o->build->tasks.items[task].ntensors;
    if (!build_dir_scalar(o->build, o->runs, task, scalar, rank, &n, d))
        return PTO_WRONG;
    *out = n.n;
    if (n.known || !n.why)
        return n.known ? PTO_GIVEN : PTO_UNKNOWN;
    diag_error(d, o->build->chip, n.at,
               "the value of %s is not read from here: %s%s; give --arg %s=EXPRESSION", name, n.why,
               others_unknown(o, task, scalar), name);
    return PTO_WRONG;
}

static struct program *compile(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d)
{
    const struct reading *read = reading_of(k);
    struct build_runs runs = {.arena = a, .nranks = nranks};
    struct outside outside = {a, &k->directives, o, read->build, &runs, nranks};
    struct pto_options p = {.toolchain = o->toolchain,
                            .nranks = nranks,
                            .window_align = o->window_align,
                            .cores_per_rank = o->cores_per_rank,
                            .tasks = read->tasks.items,
                            .ntasks = read->tasks.len,
                            .blocks = (int)k->directives.blocks.to,
                            .contexts = read->contexts.items,
                            .ncontexts = read->contexts.len,
                            .joins = read->joins.items,
                            .njoins = read->joins.len,
                            .value = value_of,
                            .element = element_of,
                            .wrong = wrong,
                            .recorded = read->build ? recorded_scalar : NULL,
                            .ctx = &outside};
    struct program *out = pto_compile(a, read->run, &p, d);
    if (out)
        out->name = k->name;
    return out;
}

const struct pto_file *compiled_file(const struct kernel *k)
{
    return reading_of(k)->file;
}

static bool host_knows(const struct reading *r, const char *name)
{
    for (size_t i = 0; r->build && i < r->build->host.names.len; i++)
        if (!strcmp(r->build->host.names.items[i], name))
            return true;
    return false;
}

static bool knows(const struct kernel *k, const char *name)
{
    return pto_knows(compiled_file(k), name) || host_knows(reading_of(k), name);
}

/* ---- files and tasks ---- */

/* A program of compiled kernels while its files are read. */
struct loading {
    struct arena *arena;
    struct diag *d;
    struct directives directives;
    VEC(const struct source *) sources; /* the file itself first, */
    VEC(int) blocks;                    /* and what each says of blocks, or 0 */
    struct reading *read;
};

/* Directives of the file, and of the one beside it. */
static bool scan(struct loading *g, const struct source *src, struct directives *out)
{
    static const char lead[] = "// fencebench:";
    const char *beside = arena_printf(g->arena, "%s.bind", src->name);
    if (!directives_scan_behind(g->arena, src, lead, out, g->d))
        return false;
    if (access(beside, R_OK))
        return true;
    const struct source *more = source_read(g->arena, beside, g->d);
    return more && directives_scan_behind(g->arena, more, lead, out, g->d);
}

/* Of a file or directory, without what stands behind a dot. */
static const char *stem_of(struct arena *a, const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    const char *whole = arena_strndup(a, path, end), *base = strrchr(whole, '/');
    base = base && base[1] ? base + 1 : whole;
    const char *suffix = strrchr(base, '.');
    return arena_strndup(a, base,
                         suffix && suffix != base ? (size_t)(suffix - base) : strlen(base));
}

/* "arg4" of another file as an argument of its task, "push.arg4". */
static const char *own_name(struct loading *g, const char *task, const char *arg)
{
    return strchr(arg, '.') ? arg : arena_printf(g->arena, "%s.%s", task, arg);
}

/* The same of what is said of one argument; "size arg2" as "size push.arg2". */
static void take_bindings(struct loading *g, const struct directives *from, const char *task)
{
    vec_foreach (const struct binding, b, &from->args) {
        struct binding own = *b;
        const char *blank = strchr(b->name, ' '), *arg = blank ? blank + 1 : b->name;
        own.name =
            arena_printf(g->arena, "%.*s%s", (int)(arg - b->name), b->name, own_name(g, task, arg));
        vec_push(g->arena, &g->directives.args, own);
    }
    vec_foreach (const struct directive_pair, p, &from->contexts) {
        struct directive_pair own = *p;
        own.one.name = own_name(g, task, p->one.name);
        vec_push(g->arena, &g->directives.contexts, own);
    }
    vec_foreach (const struct directive_pair, p, &from->joins) {
        struct directive_pair own = *p;
        own.one.name = own_name(g, task, p->one.name);
        own.other.name = own_name(g, task, p->other.name);
        vec_push(g->arena, &g->directives.joins, own);
    }
    vec_foreach (const struct directive_number, n, &from->scales)
        vec_push(g->arena, &g->directives.scales, *n);
}

static void add_source(struct loading *g, const struct source *s, const struct directives *own)
{
    vec_push(g->arena, &g->sources, s);
    vec_push(g->arena, &g->blocks, (int)own->blocks.to);
}

/* The file beside the first one, as a number of sources; -1 after an error. */
static int add_file(struct loading *g, const char *name)
{
    const char *first = g->sources.items[0]->name, *slash = strrchr(first, '/');
    const char *path =
        slash ? arena_printf(g->arena, "%.*s/%s", (int)(slash - first), first, name) : name;
    for (size_t i = 0; i < g->sources.len; i++)
        if (!strcmp(g->sources.items[i]->name, path))
            return (int)i;
    const struct source *s = source_read(g->arena, path, g->d);
    struct directives own = {0};
    if (!s || !scan(g, s, &own))
        return -1;
    take_bindings(g, &own, stem_of(g->arena, path));
    add_source(g, s, &own);
    return (int)g->sources.len - 1;
}

static bool waits_for_nothing(const struct directive_task *t)
{
    return t->ordered && t->after.len == 1 && !strcmp(t->after.items[0].name, "nothing");
}

/* What others call the task. */
static const char *task_name(struct loading *g, const char *name)
{
    return compiled_is(name) ? stem_of(g->arena, name) : name;
}

static void set_order(struct loading *g, const struct directive_task *t, struct pto_task *out)
{
    size_t n = t->after.len + 1;
    out->after = arena_array(g->arena, const char *, n);
    out->after_at = arena_array(g->arena, struct span, n);
    if (!t->ordered && g->read->tasks.len) {
        out->after[0] = g->read->tasks.items[g->read->tasks.len - 1].name;
        out->after_at[0] = t->span;
        out->nafter = 1;
    }
    for (size_t i = 0; i < t->after.len && !waits_for_nothing(t); i++) {
        out->after[i] = task_name(g, t->after.items[i].name);
        out->after_at[out->nafter++] = t->after.items[i].span;
    }
}

static bool add_tasks(struct loading *g)
{
    vec_foreach (const struct directive_task, t, &g->directives.tasks) {
        struct pto_task task = {
            .name = task_name(g, t->name), .source = t->source, .span = t->span};
        int file = compiled_is(t->name) ? add_file(g, t->name) : 0;
        if (file < 0)
            return false;
        task.file = compiled_is(t->name) ? g->sources.items[file]->name : NULL;
        const int said[] = {t->blocks, g->blocks.items[file], (int)g->directives.blocks.to, 1};
        for (int i = 0; !task.blocks; i++)
            task.blocks = said[i];
        set_order(g, t, &task);
        vec_push(g->arena, &g->read->tasks, task);
    }
    return true;
}

/* The text once more, to change it. */
static const struct pto_file *scaled(struct arena *a, const struct pto_file *f,
                                     const struct directives *said, struct diag *d)
{
    if (!said->scales.len)
        return f;
    struct pto_scale *all = arena_array(a, struct pto_scale, said->scales.len);
    for (size_t i = 0; i < said->scales.len; i++) {
        const struct directive_number *x = &said->scales.items[i];
        all[i] = (struct pto_scale){x->from, x->to, x->source, x->span};
    }
    struct pto_file *run = pto_read(a, f->source, d);
    return run && pto_scale(a, run, all, said->scales.len, d) ? run : NULL;
}

static struct kernel *of_source(struct arena *a, const struct kernel *k,
                                const struct source *source, struct diag *d)
{
    struct kernel *changed = arena_dup(a, k, sizeof *k);
    struct reading *read = arena_dup(a, reading_of(k), sizeof *read);
    changed->source = source;
    changed->read = read;
    read->file = pto_read(a, source, d);
    read->run = read->file ? scaled(a, read->file, &k->directives, d) : NULL;
    return read->run ? changed : NULL;
}

static const struct kernel_front front = {compile, knows, of_source};

static struct kernel *kernel_of_files(struct loading *g, const char *path,
                                      const struct kernel_options *o)
{
    struct kernel_file *f = arena_new(g->arena, struct kernel_file);
    struct kernel *k = arena_new(g->arena, struct kernel);
    struct ir_program *empty = arena_new(g->arena, struct ir_program);
    const struct source *src = g->read->file->source;
    f->path = arena_strdup(g->arena, path);
    f->name = stem_of(g->arena, path);
    f->source = src;
    f->directives = g->directives;
    f->text = arena_new(g->arena, struct ir_file);
    empty->source = src;
    *k = (struct kernel){.front = &front,
                         .read = g->read,
                         .path = f->path,
                         .name = f->name,
                         .source = src,
                         .program = empty,
                         .directives = f->directives,
                         .file = f,
                         .args = o->args,
                         .nargs = o->nargs};
    return k;
}

/* What may stand in front of an argument's name. */
static bool owner_known(struct loading *g, const char *name, const struct source *at,
                        struct span span)
{
    pto_names owners = pto_function_names(g->arena, g->read->file);
    size_t functions = owners.len;
    for (size_t i = 0; i < functions; i++) {
        const char *symbol = owners.items[i];
        if (pto_stem_length(symbol))
            vec_push(g->arena, &owners, arena_strndup(g->arena, symbol, pto_stem_length(symbol)));
    }
    vec_foreach (const struct pto_task, t, &g->read->tasks)
        vec_push(g->arena, &owners, t->name);
    const char *dot = strchr(name, '.'),
               *owner = dot ? arena_strndup(g->arena, name, (size_t)(dot - name)) : NULL;
    bool known = !owner;
    vec_foreach (const char *, o, &owners)
        known |= owner && !strcmp(*o, owner);
    return known || diag_error(g->d, at, span, "no function or task is called '%s'%s", owner,
                               diag_hint(g->arena, owner, owners.items, owners.len));
}

/* Of a function, or, in a build directory, of what the host program hands over. */
static bool name_known(struct loading *g, const char *name, const struct source *at,
                       struct span span)
{
    const struct pto_file *f = g->read->file;
    pto_names all = pto_argument_names(g->arena, f);
    const char *dot = strchr(name, '.');
    if (host_knows(g->read, name))
        return true;
    if (!pto_knows(f, name))
        return diag_error(g->d, at, span, "no function has an argument '%s'%s", name,
                          diag_hint(g->arena, dot ? dot + 1 : name, all.items, all.len));
    return owner_known(g, name, at, span);
}

static bool take_pairs(struct loading *g, const directive_pairs *said, pto_pairs *out)
{
    vec_foreach (const struct directive_pair, p, said) {
        if (!name_known(g, p->one.name, p->source, p->one.span) ||
            !name_known(g, p->other.name, p->source, p->other.span))
            return false;
        struct pto_pair pair = {p->one.name, p->other.name, p->source, p->one.span, p->other.span};
        vec_push(g->arena, out, pair);
    }
    return true;
}

/* "arg2", "size arg2", "window push.arg2": each is an argument of a function. */
static bool take_names(struct loading *g)
{
    vec_foreach (const struct binding, b, &g->directives.args) {
        const char *space = strrchr(b->name, ' ');
        if (!name_known(g, space ? space + 1 : b->name, b->source, b->at))
            return false;
    }
    return take_pairs(g, &g->directives.contexts, &g->read->contexts) &&
           take_pairs(g, &g->directives.joins, &g->read->joins);
}

static struct kernel *load_sources(struct loading *g, const char *path,
                                   const struct kernel_options *o)
{
    const struct source *src = g->sources.items[0];
    if (g->sources.len > 1)
        src = source_join(g->arena, g->sources.items, g->sources.len);
    g->read->file = pto_read(g->arena, src, g->d);
    bool ok = g->read->file && pto_top_known(g->read->file, g->d) && take_names(g);
    g->read->run = ok ? scaled(g->arena, g->read->file, &g->directives, g->d) : NULL;
    return g->read->run ? kernel_of_files(g, path, o) : NULL;
}

/* The text of a build directory's program begins with its directives, which are comments. */
static struct kernel *load_build(struct loading *g, const char *dir, const struct kernel_options *o)
{
    const char *bindings = build_dir_bindings(g->arena, dir);
    const struct source *said = access(bindings, R_OK) ? source_from_string(g->arena, dir, "")
                                                       : source_read(g->arena, bindings, g->d);
    struct build_dir *b = arena_new(g->arena, struct build_dir);
    if (!said || !directives_scan_behind(g->arena, said, "// fencebench:", &g->directives, g->d))
        return NULL;
    if (g->directives.blocks.to) {
        diag_error(g->d, said, g->directives.blocks.span,
                   "the blocks of a build directory's tasks are its own");
        return NULL;
    }
    if (!build_dir_read(g->arena, dir, &g->directives, o->args, o->nargs, b, g->d))
        return NULL;
    add_source(g, said, &g->directives);
    vec_foreach (const char *, path, &b->files) {
        const struct source *s = source_read(g->arena, *path, g->d);
        if (!s)
            return NULL;
        add_source(g, s, &g->directives);
    }
    g->read->tasks = b->tasks;
    g->read->build = b;
    if (!g->directives.ranks.len && b->nranks)
        vec_push(g->arena, &g->directives.ranks, b->nranks);
    return load_sources(g, dir, o);
}

struct kernel *compiled_load(struct arena *a, const char *path, const struct kernel_options *o,
                             struct diag *d)
{
    struct loading g = {.arena = a, .d = d, .read = arena_new(a, struct reading)};
    if (build_dir_is(path))
        return load_build(&g, path, o);
    const struct source *src = source_read(a, path, d);
    if (!src)
        return NULL;
    if (!scan(&g, src, &g.directives))
        return NULL;
    add_source(&g, src, &g.directives);
    return add_tasks(&g) ? load_sources(&g, path, o) : NULL;
}

/* ---- the other way ---- */

struct emission {
    struct arena *arena;
    struct diag *d;
    const char *text;
};

static void emit(void *ctx, const struct builder *b, const struct program *p)
{
    struct emission *e = ctx;
    e->text = pto_emit(e->arena, b, p, e->d);
}

const char *kernel_as_compiled(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d)
{
    struct toolchain plain = *o->toolchain;
    plain.auto_sync = false;
    plain.region_cacheinvalid = REGION_BASE_LINE;
    struct emission e = {a, d, NULL};
    struct kernel_options options = *o;
    options.toolchain = &plain;
    options.built = emit;
    options.built_ctx = &e;
    return kernel_compile(a, k, &options, nranks, d) ? e.text : NULL;
}
