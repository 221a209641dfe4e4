/* SPDX-License-Identifier: MIT */
/*
 * A validator for the part of JSON Schema that docs/fencebench.schema.json uses: type, const, enum, properties,
 * required, additionalProperties, items, minimum, anyOf and $ref to #/definitions. An unknown keyword is
 * a violation, and so is a member that an object's properties do not name: what is printed is documented.
 */
#ifndef TESTS_JSON_SCHEMA_H
#define TESTS_JSON_SCHEMA_H

#include <jansson.h>

#include "base/arena.h"

/* NULL when j is as the schema says, else what is wrong where: "/results/0/ranks: is no integer". */
const char *json_schema_violation(struct arena *a, const json_t *schema, const json_t *j);

#endif
