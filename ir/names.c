/* SPDX-License-Identifier: MIT */
#include "ir/names.h"

#include <stdlib.h>
#include <string.h>

static bool is_role(const char *s, size_t len)
{
    static const char *const roles[] = {"ssa", "iter", "rv",    "phi", "tile",
                                        "tmp", "out",  "store", "idx"};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strlen(roles[i]) == len && strncmp(roles[i], s, len) == 0)
            return true;
    return false;
}

static bool is_version(const char *s, size_t len)
{
    return len > 1 && s[0] == 'v' && strspn(s + 1, "0123456789") >= len - 1;
}

/* The length of the last part of the suffix s, behind its last '_'. */
static size_t last_part(const char *s, size_t len)
{
    size_t n = 0;
    while (n < len && s[len - n - 1] != '_')
        n++;
    return n;
}

/* The length of the suffix without its last part. */
static size_t without(size_t len, size_t part)
{
    return len > part ? len - part - 1 : 0;
}

/* The parts of a name: what stands in front of "__", and the qualifier behind it. */
struct parts {
    size_t base, qualifier;
    bool versioned;
};

static struct parts parts_of(const char *name)
{
    const char *mark = strstr(name, "__"), *suffix = mark ? mark + 2 : "";
    size_t full = strlen(suffix), len = full, part = last_part(suffix, len);
    if (is_version(suffix + len - part, part)) {
        len = without(len, part);
        part = last_part(suffix, len);
    }
    if (is_role(suffix + len - part, part))
        len = without(len, part);
    return (struct parts){mark ? (size_t)(mark - name) : strlen(name), len, len != full};
}

const char *ir_version_name(struct arena *a, const char *name, const char *role, unsigned version)
{
    struct parts p = parts_of(name);
    if (!p.versioned)
        return arena_printf(a, "%s__%s_v%u", name, role, version);
    return arena_printf(a, "%.*s__%.*s%s%s_v%u", (int)p.base, name, (int)p.qualifier,
                        name + p.base + 2, p.qualifier ? "_" : "", role, version);
}

const char *ir_base_name(struct arena *a, const char *name)
{
    return arena_strndup(a, name, parts_of(name).base);
}

const char *ir_fresh_version(struct arena *a, const char *name, const struct map *used)
{
    const char *mark = strstr(name, "__"), *suffix = mark ? mark + 2 : "";
    size_t len = strlen(suffix), part = last_part(suffix, len),
           qualifier = parts_of(name).qualifier;
    unsigned long number = 0;
    if (is_version(suffix + len - part, part)) {
        number = strtoul(suffix + len - part + 1, NULL, 10) + 1;
        len = without(len, part);
        part = last_part(suffix, len);
    }
    bool has_role = is_role(suffix + len - part, part);
    const char *role = has_role ? arena_strndup(a, suffix + len - part, part) : "ssa";
    const char *base = arena_printf(a, "%s__%.*s%s", ir_base_name(a, name), (int)qualifier, suffix,
                                    qualifier ? "_" : "");
    const char *fresh;
    do
        fresh = arena_printf(a, "%s%s_v%lu", base, role, number++);
    while (map_get_text(used, fresh));
    return fresh;
}

bool ir_is_version_name(const char *name)
{
    return parts_of(name).versioned;
}

static const char free_mark[] = "__FREE_VAR", tile_mark[] = "__tile";

static bool ends_in(const char *name, const char *mark)
{
    size_t len = strlen(name), end = strlen(mark);
    return len > end && strcmp(name + len - end, mark) == 0;
}

bool ir_is_free_name(const char *name)
{
    return ends_in(name, free_mark);
}

const char *ir_shown_name(struct arena *a, const char *name)
{
    static const char *const roles[] = {"_ssa_v", "_iter_v", "_rv_v", "_phi_v", "_idx_v"};
    size_t len = strlen(name), digits = 0;
    while (digits < len && strchr("0123456789", name[len - digits - 1]))
        digits++;
    for (size_t i = 0; digits && i < sizeof roles / sizeof *roles; i++) {
        size_t end = len - digits, role = strlen(roles[i]);
        if (end <= role + 1 || strncmp(name + end - role, roles[i], role) != 0)
            continue;
        const char *mark = strstr(name, "__");
        size_t kept = end - role;
        if (mark && (size_t)(mark - name) < kept)
            return arena_strndup(a, name, name[kept - 1] == '_' ? kept - 1 : kept);
    }
    const char *mark = ends_in(name, free_mark)   ? free_mark
                       : ends_in(name, tile_mark) ? tile_mark
                                                  : NULL;
    return mark ? arena_strndup(a, name, len - strlen(mark)) : name;
}
