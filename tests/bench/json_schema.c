/* SPDX-License-Identifier: MIT */
#include "tests/bench/json_schema.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct look {
    struct arena *arena;
    const json_t *root;
};

static const char *violation(const struct look *l, const json_t *schema, const json_t *j,
                             const char *path);

static bool has_type(const json_t *j, const char *type)
{
    return !strcmp(type, "object")    ? json_is_object(j)
           : !strcmp(type, "array")   ? json_is_array(j)
           : !strcmp(type, "string")  ? json_is_string(j)
           : !strcmp(type, "integer") ? json_is_integer(j)
           : !strcmp(type, "number")  ? json_is_number(j)
           : !strcmp(type, "boolean") ? json_is_boolean(j)
           : !strcmp(type, "null")    ? json_is_null(j)
                                      : false;
}

static bool one_of(const json_t *values, const json_t *j, bool types)
{
    size_t i;
    json_t *v;
    json_array_foreach(values, i, v) if (types ? has_type(j, json_string_value(v))
                                               : json_equal(v, j)) return true;
    return false;
}

static const char *wrong(const struct look *l, const char *path, const char *what,
                         const json_t *value)
{
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    const char *said = arena_printf(l->arena, "%s: %s %s", path, what, text ? text : "");
    free(text);
    return said;
}

static const char *in_members(const struct look *l, const json_t *schema, const json_t *j,
                              const char *path)
{
    const char *key, *bad = NULL;
    json_t *member, *named = json_object_get(schema, "properties"),
                    *others = json_object_get(schema, "additionalProperties");
    json_object_foreach((json_t *)j, key, member)
    {
        const json_t *s = json_object_get(named, key);
        s = s ? s : others;
        const char *at = arena_printf(l->arena, "%s/%s", path, key);
        if (!s && named)
            return wrong(l, at, "is not described", NULL);
        if (s && (bad = violation(l, s, member, at)))
            return bad;
    }
    return NULL;
}

static const char *keyword(const struct look *l, const json_t *schema, const char *key,
                           const json_t *value, const json_t *j, const char *path)
{
    size_t i;
    json_t *item;
    const char *bad = NULL;
    if (!strcmp(key, "type"))
        return (json_is_string(value) ? has_type(j, json_string_value(value))
                                      : one_of(value, j, true))
                   ? NULL
                   : wrong(l, path, "is not of type", value);
    if (!strcmp(key, "const"))
        return json_equal(value, j) ? NULL : wrong(l, path, "is not", value);
    if (!strcmp(key, "enum"))
        return one_of(value, j, false) ? NULL : wrong(l, path, "is none of", value);
    if (!strcmp(key, "minimum"))
        return json_number_value(j) >= json_number_value(value) ? NULL
                                                                : wrong(l, path, "is below", value);
    if (!strcmp(key, "required")) {
        json_array_foreach(
            value, i, item) if (json_is_object(j) &&
                                !json_object_get(j, json_string_value(item))) return wrong(l, path,
                                                                                           "lacks",
                                                                                           item);
        return NULL;
    }
    if (!strcmp(key, "items")) {
        json_array_foreach(j, i, item) if ((bad = violation(l, value, item,
                                                            arena_printf(l->arena, "%s/%zu", path,
                                                                         i)))) return bad;
        return NULL;
    }
    if (!strcmp(key, "properties") || !strcmp(key, "additionalProperties"))
        return in_members(l, schema, j, path);
    if (!strcmp(key, "anyOf")) {
        json_array_foreach(value, i, item) if (!(bad = violation(l, item, j, path))) return NULL;
        return bad;
    }
    if (!strcmp(key, "$ref")) {
        const char *name = strrchr(json_string_value(value), '/') + 1;
        const json_t *named = json_object_get(json_object_get(l->root, "definitions"), name);
        return named ? violation(l, named, j, path) : wrong(l, path, "has no definition", value);
    }
    static const char *const words[] = {"$schema", "title", "description", "definitions"};
    for (i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(key, words[i]))
            return NULL;
    return wrong(l, path, "the schema has an unknown keyword", value);
}

static const char *violation(const struct look *l, const json_t *schema, const json_t *j,
                             const char *path)
{
    const char *key, *bad;
    json_t *value;
    json_object_foreach((json_t *)schema, key,
                        value) if ((bad = keyword(l, schema, key, value, j, path))) return bad;
    return NULL;
}

const char *json_schema_violation(struct arena *a, const json_t *schema, const json_t *j)
{
    return violation(&(struct look){a, schema}, schema, j, "");
}
