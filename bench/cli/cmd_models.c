/* SPDX-License-Identifier: MIT */
/* fencebench models: the machine contracts and toolchain profiles, and
 * every key of the ones named. */
#include <jansson.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/cli/commands.h"
#include "bench/cli/listing.h"
#include "bench/report/output.h"
#include "bench/cli/options.h"
#include "models/contract.h"
#include "models/ini_table.h"
#include "models/toolchain.h"

enum { NAME_WIDTH = 16, VALUE_WIDTH = 44 };

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
static const struct model_family {
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

struct model_selection {
    struct listing l;
    const char *dir;
    models chosen[FAMILIES];
    struct model base[FAMILIES];
};

static const struct listing_command command = {
    .doc = "List the machine contracts and toolchain profiles. With names (or paths), print every "
           "key as a file that can be saved and edited.",
    .names = "[NAME..]",
    .extra = "keys",
    .extra_doc = "Print every key of every model (default: of the named ones)",
};

/* ---- which models ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

static bool add(struct model_selection *c, int f, const char *name)
{
    struct model m;
    if (!families[f].load(&c->l.arena, c->dir, name, &m, &c->l.diag))
        return false;
    vec_push(&c->l.arena, &c->chosen[f], m);
    return true;
}

static bool add_named(struct model_selection *c, const char *name)
{
    VEC(const char *) all = {0};
    for (int f = 0; f < FAMILIES; f++) {
        if (ends_with(name, families[f].suffix))
            return add(c, f, name);
        const char *const *names;
        size_t n = families[f].list(&c->l.arena, c->dir, &names);
        for (size_t i = 0; i < n; i++) {
            if (!strcmp(names[i], name))
                return add(c, f, name);
            vec_push(&c->l.arena, &all, names[i]);
        }
    }
    return listing_unknown(&c->l, "machine contract or toolchain profile", name, all.items,
                           all.len);
}

static bool choose(struct model_selection *c)
{
    for (int f = 0; f < FAMILIES; f++)
        if (!families[f].load(&c->l.arena, c->dir, families[f].base, &c->base[f], &c->l.diag))
            return false;
    vec_foreach (const char *, name, &c->l.names)
        if (!add_named(c, *name))
            return false;
    for (int f = 0; f < FAMILIES && !c->l.names.len; f++) {
        const char *const *names;
        size_t n = families[f].list(&c->l.arena, c->dir, &names);
        for (size_t i = 0; i < n; i++)
            if (!add(c, f, names[i]))
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
static const char *differences(struct model_selection *c, const struct model_family *f,
                               const struct model *m, const struct model *base)
{
    struct strbuf keys = strbuf_make(&c->l.arena), others = strbuf_make(&c->l.arena);
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

static void print_table(struct model_selection *c, int at)
{
    const struct model_family *f = &families[at];
    printf("%s (%s), and where they differ from %s:\n\n", f->title, f->option, f->base);
    vec_foreach (struct model, m, &c->chosen[at]) {
        const char *text = differences(c, f, m, &c->base[at]);
        printf("%-*s %s\n", NAME_WIDTH, m->name, doc(m));
        if (*text)
            printf("%-*s   %s\n", NAME_WIDTH, "", text);
    }
}

static void print_keys(struct model_selection *c, int at)
{
    const struct model_family *f = &families[at];
    vec_foreach (struct model, m, &c->chosen[at]) {
        printf("# %s %s. Saved as MINE%s: %s=./MINE%s\n", f->what, m->name, f->suffix, f->option,
               f->suffix);
        for (size_t i = 0; i < m->count; i++) {
            const struct ini_row *r = &m->rows[i];
            if (i == 0 || strcmp(r->section, m->rows[i - 1].section))
                printf("%s[%s]\n", i ? "\n" : "", r->section);
            const char *line = arena_printf(&c->l.arena, "%s = %s", r->name, r->value);
            if (r->kind)
                printf("%-*s ; %s\n", VALUE_WIDTH, line, r->kind);
            else
                printf("%s\n", line);
        }
        if (m + 1 < c->chosen[at].items + c->chosen[at].len)
            printf("\n");
    }
}

static void print_text(struct model_selection *c)
{
    bool first = true;
    for (int f = 0; f < FAMILIES; f++) {
        if (!c->chosen[f].len)
            continue;
        if (!first)
            printf("\n");
        first = false;
        if (c->l.extra || c->l.names.len)
            print_keys(c, f);
        else
            print_table(c, f);
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

static void print_json(struct model_selection *c)
{
    json_t *root = json_object();
    for (int f = 0; f < FAMILIES; f++) {
        json_t *list = json_array();
        vec_foreach (struct model, m, &c->chosen[f])
            json_array_append_new(list, model_json(m, &c->base[f]));
        json_object_set_new(root, families[f].json, list);
    }
    output_json(root);
}

int cmd_models(int argc, char **argv)
{
    struct model_selection c = {0};
    listing_parse(&c.l, &command, argc, argv);
    c.dir = bench_models_dir(&c.l.arena);
    bool ok = choose(&c);
    if (ok && c.l.format == LISTING_JSON)
        print_json(&c);
    else if (ok)
        print_text(&c);
    return listing_end(&c.l, ok);
}
