/* SPDX-License-Identifier: MIT */
/* fencebench models: the machine contracts and toolchain profiles, and every key of the ones named.
 */
#include <jansson.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/commands.h"
#include "bench/options.h"
#include "models/contract.h"
#include "models/ini_table.h"
#include "models/toolchain.h"

enum { KEY_KEYS = 0x100, KEY_JSON, NAME_WIDTH = 16, VALUE_WIDTH = 44 };

struct model {
    const char *name;
    const struct ini_row *rows;
    size_t count;
};
typedef VEC(struct model) models;

static bool load_contract(struct arena *a, const char *dir, const char *name, struct model *m,
                          struct diag *d)
{
    const struct contract *c = contract_load(a, dir, name, d);
    if (c) {
        m->name = name;
        m->count = contract_describe(a, c, &m->rows);
    }
    return c != NULL;
}

static bool load_toolchain(struct arena *a, const char *dir, const char *name, struct model *m,
                           struct diag *d)
{
    const struct toolchain *t = toolchain_load(a, dir, name, d);
    if (t) {
        m->name = name;
        m->count = toolchain_describe(a, t, &m->rows);
    }
    return t != NULL;
}

/* The two kinds of model files. base: what the others are compared with; section: the keys worth a
 * table. */
static const struct family {
    const char *title, *what, *json, *option, *suffix, *base, *section;
    size_t (*list)(struct arena *a, const char *dir, const char *const **names);
    bool (*load)(struct arena *a, const char *dir, const char *name, struct model *m,
                 struct diag *d);
} families[] = {
    {"Machine contracts", "machine contract", "contracts", "--model", ".model", "a2a3", "semantics",
     contract_list, load_contract},
    {"Toolchain profiles", "toolchain profile", "toolchains", "--toolchain", ".toolchain",
     "ptoas-0.57", "lowering", toolchain_list, load_toolchain},
};
enum { FAMILIES = sizeof families / sizeof *families };

struct listing {
    struct arena arena;
    struct diag diag;
    const char *dir;
    bool keys, json;
    VEC(const char *) names;
    models chosen[FAMILIES];
    struct model base[FAMILIES];
};

/* ---- options ---- */

static const struct argp_option options[] = {
    {"keys", KEY_KEYS, NULL, 0, "Print every key of every model (default: of the named ones)", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON instead of text (default off)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct listing *l = s->input;
    switch (key) {
    case KEY_KEYS:
        l->keys = true;
        return 0;
    case KEY_JSON:
        l->json = true;
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&l->arena, &l->names, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options,
                                 parse,
                                 "[NAME..]",
                                 "List the machine contracts and toolchain profiles. With names "
                                 "(or paths), print every key as a file that "
                                 "can be saved and edited.",
                                 NULL,
                                 NULL,
                                 NULL};

/* ---- which models ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

static bool add(struct listing *l, int f, const char *name)
{
    struct model m;
    if (!families[f].load(&l->arena, l->dir, name, &m, &l->diag))
        return false;
    vec_push(&l->arena, &l->chosen[f], m);
    return true;
}

static bool add_named(struct listing *l, const char *name)
{
    VEC(const char *) all = {0};
    for (int f = 0; f < FAMILIES; f++) {
        if (ends_with(name, families[f].suffix))
            return add(l, f, name);
        const char *const *names;
        size_t n = families[f].list(&l->arena, l->dir, &names);
        for (size_t i = 0; i < n; i++) {
            if (!strcmp(names[i], name))
                return add(l, f, name);
            vec_push(&l->arena, &all, names[i]);
        }
    }
    const char *near = diag_nearest(name, all.items, all.len);
    return diag_error(&l->diag, NULL, (struct span){0},
                      "no machine contract or toolchain profile '%s'%s%s%s", name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool choose(struct listing *l)
{
    for (int f = 0; f < FAMILIES; f++)
        if (!families[f].load(&l->arena, l->dir, families[f].base, &l->base[f], &l->diag))
            return false;
    vec_foreach (const char *, name, &l->names)
        if (!add_named(l, *name))
            return false;
    for (int f = 0; f < FAMILIES && !l->names.len; f++) {
        const char *const *names;
        size_t n = families[f].list(&l->arena, l->dir, &names);
        for (size_t i = 0; i < n; i++)
            if (!add(l, f, names[i]))
                return false;
    }
    return true;
}

/* ---- text ---- */

static bool differs(const struct model *m, const struct model *base, size_t i)
{
    return strcmp(m->rows[i].section, "model") && strcmp(m->rows[i].value, base->rows[i].value);
}

static const char *doc(const struct model *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (!strcmp(m->rows[i].name, "doc"))
            return m->rows[i].value;
    return "";
}

/* "fabric = unordered, prefetch = none; [cost] differs too" */
static const char *differences(struct listing *l, const struct family *f, const struct model *m,
                               const struct model *base)
{
    struct strbuf keys = strbuf_make(&l->arena), others = strbuf_make(&l->arena);
    const char *last = "";
    for (size_t i = 0; i < m->count; i++) {
        const struct ini_row *r = &m->rows[i];
        if (!differs(m, base, i))
            continue;
        if (!strcmp(r->section, f->section)) {
            strbuf_addf(&keys, "%s%s = %s", keys.len ? ", " : "", r->name, r->value);
        } else if (strcmp(r->section, last)) {
            strbuf_addf(&others, "%s[%s]", others.len ? ", " : "", r->section);
            last = r->section;
        }
    }
    if (others.len)
        strbuf_addf(&keys, "%sother values in %s", keys.len ? "; " : "", others.text);
    return keys.text;
}

static void print_table(struct listing *l, int at)
{
    const struct family *f = &families[at];
    printf("%s (%s), and where they differ from %s:\n\n", f->title, f->option, f->base);
    vec_foreach (struct model, m, &l->chosen[at]) {
        const char *text = differences(l, f, m, &l->base[at]);
        printf("%-*s %s\n", NAME_WIDTH, m->name, doc(m));
        if (*text)
            printf("%-*s   %s\n", NAME_WIDTH, "", text);
    }
}

static void print_keys(struct listing *l, int at)
{
    const struct family *f = &families[at];
    vec_foreach (struct model, m, &l->chosen[at]) {
        printf("# %s %s. Saved as MINE%s: %s=./MINE%s\n", f->what, m->name, f->suffix, f->option,
               f->suffix);
        for (size_t i = 0; i < m->count; i++) {
            const struct ini_row *r = &m->rows[i];
            if (i == 0 || strcmp(r->section, m->rows[i - 1].section))
                printf("%s[%s]\n", i ? "\n" : "", r->section);
            const char *line = arena_printf(&l->arena, "%s = %s", r->name, r->value);
            if (r->kind)
                printf("%-*s ; %s\n", VALUE_WIDTH, line, r->kind);
            else
                printf("%s\n", line);
        }
        if (m + 1 < l->chosen[at].items + l->chosen[at].len)
            printf("\n");
    }
}

static void print_text(struct listing *l)
{
    bool first = true;
    for (int f = 0; f < FAMILIES; f++) {
        if (!l->chosen[f].len)
            continue;
        if (!first)
            printf("\n");
        first = false;
        if (l->keys || l->names.len)
            print_keys(l, f);
        else
            print_table(l, f);
    }
}

/* ---- JSON ---- */

static json_t *model_json(const struct model *m, const struct model *base)
{
    json_t *keys = json_array();
    for (size_t i = 0; i < m->count; i++) {
        const struct ini_row *r = &m->rows[i];
        json_array_append_new(keys, json_pack("{ss ss ss ss? sb}", "section", r->section, "key",
                                              r->name, "value", r->value, "kind", r->kind,
                                              "differs", differs(m, base, i)));
    }
    return json_pack("{ss ss so}", "name", m->name, "doc", doc(m), "keys", keys);
}

static void print_json(struct listing *l)
{
    json_t *root = json_object();
    for (int f = 0; f < FAMILIES; f++) {
        json_t *list = json_array();
        vec_foreach (struct model, m, &l->chosen[f])
            json_array_append_new(list, model_json(m, &l->base[f]));
        json_object_set_new(root, families[f].json, list);
    }
    json_dumpf(root, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(root);
}

int cmd_models(int argc, char **argv)
{
    struct listing l = {0};
    l.diag.arena = &l.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &l);
    l.dir = bench_models_dir(&l.arena);
    bool ok = choose(&l);
    if (ok && l.json)
        print_json(&l);
    else if (ok)
        print_text(&l);
    else
        diag_print(&l.diag, stderr);
    arena_free(&l.arena);
    return ok ? EXIT_CLEAN : EXIT_USAGE;
}
