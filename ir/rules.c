/* SPDX-License-Identifier: MIT */
#include "ir/rules.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"

#define READING   "reading"
#define OPERATOR  "operators"
#define ARGUMENT  "arguments"
#define REGION    "regions"
#define SINGLE    "single operators"
#define CALL      "calls"
#define SCOPE     "scopes and launches"
#define STATEMENT "statements"
#define SSA       "SSAForm"
#define DOMAIN    "CommDomainScopesMaterialized"
#define CONTEXT   "DistTensorCtxMaterialized"

/* clang-format off */
const struct ir_rule_row ir_rules[] = {
    [IR_RULE_UNKNOWN_OPERATOR] = {"unknown-operator", READING, "1.3",
        "unknown operator '<name>'<hint>"},
    [IR_RULE_ENUM_MEMBER] = {"enum-member", READING, "1.3",
        "'<name>' is no member of <enum><hint>"},
    [IR_RULE_YIELD_NAMES] = {"yield-names", READING, "1.3",
        "pl.yield_ of values needs names on its left: x = pl.yield_(...)"},
    [IR_RULE_ALLOC_EXPLICIT_NAME] = {"alloc-explicit-name", READING, "1.3",
        "<op> takes its name from the variable it is assigned to; drop name="},
    [IR_RULE_STATIC_ASSERT] = {"static-assert", READING, "pypto-front-facts 2.1",
        "pl.static_assert <what><message>"},

    [IR_RULE_OP_PLACEMENT] = {"op-placement", OPERATOR, "1.3, 2",
        "<op> is for <places>, not for <place>"},
    [IR_RULE_OP_ARITY] = {"op-arity", OPERATOR, "2",
        "<op> expects <numbers> arguments, found <number>"},
    [IR_RULE_ARGUMENT_KIND] = {"argument-kind", OPERATOR, "2",
        "argument '<argument>' of <op> must be <kind>, found <found><hint>"},
    [IR_RULE_ARGUMENT_TUPLE] = {"argument-tuple", OPERATOR, "2",
        "argument '<argument>' of <op> must be a tuple of integers such as [0, 0], found <found>"},
    [IR_RULE_TUPLE_INTEGERS] = {"tuple-integers", OPERATOR, "2",
        "argument '<argument>' of <op> must hold integers, found <found>"},
    [IR_RULE_KEYWORD_UNKNOWN] = {"keyword-unknown", OPERATOR, "2",
        "<op> has no keyword '<keyword>'<hint>"},
    [IR_RULE_KEYWORD_REQUIRED] = {"keyword-required", OPERATOR, "2",
        "<op> needs the keyword '<keyword>'"},
    [IR_RULE_KEYWORD_VALUE] = {"keyword-value", OPERATOR, "2",
        "keyword '<keyword>' of <op> must be <values>"},
    [IR_RULE_KEYWORD_RANGE] = {"keyword-range", OPERATOR, "2",
        "keyword '<keyword>' of <op> must be at least <least>, found <value>"},

    [IR_RULE_KEYWORD_TWICE] = {"keyword-twice", OPERATOR, "pypto-front-facts 2.11",
        "'<keyword>' of <op> is given by position and by keyword"},
    [IR_RULE_KEYWORD_PLACE] = {"keyword-place", OPERATOR, "pypto-front-facts 2.11",
        "'<keyword>' of <op> cannot be given <where>"},

    [IR_RULE_ARGUMENT_RANK] = {"argument-rank", ARGUMENT, "2",
        "argument '<argument>' of <op> must have rank <ranks>, found <rank>"},
    [IR_RULE_ARGUMENT_DTYPE] = {"argument-dtype", ARGUMENT, "2",
        "argument '<argument>' of <op> must hold <dtypes>, found pl.<dtype>"},
    [IR_RULE_ARGUMENT_EXTENT] = {"argument-extent", ARGUMENT, "2",
        "dimension <dimension> of argument '<argument>' of <op> must be 1, found <extent>"},
    [IR_RULE_ARGUMENT_STATIC] = {"argument-static", ARGUMENT, "2",
        "dimension <dimension> of argument '<argument>' of <op> must be known at compile time"},
    [IR_RULE_SAME_DTYPE] = {"same-dtype", ARGUMENT, "2",
        "argument '<argument>' of <op> holds pl.<dtype>, but '<other>' holds pl.<dtype>"},
    [IR_RULE_SAME_RANK] = {"same-rank", ARGUMENT, "2",
        "argument '<argument>' of <op> has rank <rank>, but '<other>' has rank <rank>"},
    [IR_RULE_SAME_EXTENT] = {"same-extent", ARGUMENT, "2",
        "dimension <dimension> of argument '<argument>' of <op> is <extent>, but dimension <dimension> of '<other>' is <extent>"},
    [IR_RULE_DISTINCT_BUFFERS] = {"distinct-buffers", ARGUMENT, "2",
        "arguments '<argument>' and '<other>' of <op> must be different buffers"},

    [IR_RULE_REGION_RANK] = {"region-rank", REGION, "2",
        "argument '<argument>' of <op> has <number> elements, but the tensor has rank <rank>"},
    [IR_RULE_REGION_NEGATIVE] = {"region-negative", REGION, "2",
        "offset <offset> of <op> is negative"},
    [IR_RULE_REGION_BOUNDS] = {"region-bounds", REGION, "2",
        "<op> reaches element <element> of dimension <dimension>, which has <extent> elements"},
    [IR_RULE_REGION_EXTENT] = {"region-extent", REGION, "1.3, 2",
        "extent <extent> of <op> must be positive"},
    [IR_RULE_VALID_NEGATIVE] = {"valid-negative", REGION, "2",
        "valid extent <extent> of <op> is negative"},
    [IR_RULE_VALID_EXCEEDS] = {"valid-exceeds", REGION, "2",
        "valid extent <extent> of <op> exceeds the extent <extent>"},

    [IR_RULE_ATOMIC_DTYPE] = {"atomic-dtype", SINGLE, "2",
        "<op> cannot add atomically to pl.<dtype>"},
    [IR_RULE_TAIL_PADDING] = {"tail-padding", SINGLE, "2",
        "the physical tail padding of <op> needs <need>"},
    [IR_RULE_REMOTE_LOAD_LAYOUT] = {"remote-load-layout", SINGLE, "2",
        "<op> cannot load from a window of layout <layout>"},
    [IR_RULE_VIEW_LAYOUT] = {"view-layout", SINGLE, "2",
        "<op> makes no view of a tensor of layout <layout>"},
    [IR_RULE_REMOTE_STORE_LEADING] = {"remote-store-leading", SINGLE, "2",
        "leading dimension <dimension> of the source of <op> is <extent>, expected 1"},
    [IR_RULE_DEFER_WAIT_CMP] = {"defer-wait-cmp", SINGLE, "2",
        "<op> compares with pld.WaitCmp.Ge only"},
    [IR_RULE_DEFER_WAIT_EXPECTED] = {"defer-wait-expected", SINGLE, "2",
        "<op> expects a value in 0 .. 2147483647, found <value>"},
    [IR_RULE_DEFER_WAIT_SIGNAL] = {"defer-wait-signal", SINGLE, "2",
        "the signal of <op> must be a parameter of the function"},
    [IR_RULE_DEFER_WAIT_LIMIT] = {"defer-wait-limit", SINGLE, "2",
        "<op>: the task would wait for <number> conditions, at most <most> are allowed"},
    [IR_RULE_TRANSFER_WHOLE] = {"transfer-whole", SINGLE, "2",
        "source and destination of <op> differ in shape; name the region to copy"},
    [IR_RULE_STAGE_PAIR] = {"stage-pair", SINGLE, "2",
        "the stages of <op> differ in shape"},
    [IR_RULE_STAGE_SIZE] = {"stage-size", SINGLE, "2",
        "the stage of <op> has <number> elements, more than the transfer's <number>"},
    [IR_RULE_CHUNK_PIPELINE] = {"chunk-pipeline", SINGLE, "2",
        "pipeline=True of <op> needs chunk_rows and chunk_cols"},
    [IR_RULE_CHUNK_MISSING] = {"chunk-missing", SINGLE, "2",
        "<op> needs <keyword>: dimension <dimension> is not static"},
    [IR_RULE_REDUCE_SCATTER_SUM] = {"reduce-scatter-sum", SINGLE, "2",
        "<op> supports pld.ReduceOp.Sum only"},
    [IR_RULE_ROWS_PER_RANK] = {"rows-per-rank", SINGLE, "2",
        "the target of <op> has <rows> rows, which <ranks> ranks do not divide"},
    [IR_RULE_EMPTY_SHAPE] = {"empty-shape", SINGLE, "1.3",
        "the shape of <op> is empty"},
    [IR_RULE_ALLOC_NAME] = {"alloc-name", SINGLE, "2",
        "the name of a window buffer is empty"},
    [IR_RULE_ALLOC_SHAPE] = {"alloc-shape", SINGLE, "1.3",
        "<op> of a shape needs dtype="},
    [IR_RULE_ALLOC_BYTES] = {"alloc-bytes", SINGLE, "1.3",
        "<op> of a size in bytes takes no dtype="},
    [IR_RULE_ALLOC_SIZE] = {"alloc-size", SINGLE, "1.3",
        "window size <size> must be positive"},
    [IR_RULE_ALLOC_ASSIGNMENT] = {"alloc-assignment", SINGLE, "1.3",
        "<op> must be all that is assigned to one variable: x = <op>(...)"},
    [IR_RULE_ALLOC_DUPLICATE] = {"alloc-duplicate", SINGLE, "1.3",
        "window buffer '<name>' is already declared in <line>"},

    [IR_RULE_CALL_FUNCTION] = {"call-function", CALL, "1.1",
        "no function '<name>' in this program<hint>"},
    [IR_RULE_CALL_ARITY] = {"call-arity", CALL, "1.1",
        "'<function>' has <number> parameters, found <number> arguments"},
    [IR_RULE_CALL_ARGUMENT] = {"call-argument", CALL, "1.2",
        "parameter '<parameter>' of '<function>' is <type>, found <type>"},
    [IR_RULE_CALL_DEVICE] = {"call-device", CALL, "1.3",
        "'device' is for calls of orchestrators; '<function>' is <kind> function"},
    [IR_RULE_SUBMIT_DEPS] = {"submit-deps", CALL, "1.1",
        "deps of <launcher> must be a list of task ids, found <found>"},
    [IR_RULE_CALL_ATTRIBUTE] = {"call-attribute", CALL, "pypto-front-facts 2.7",
        "attribute '<attribute>' of the call of '<function>' must be <what>"},
    [IR_RULE_CALL_EXTENT] = {"call-extent", CALL, "pypto-front-facts 2.7",
        "extent '<extent>' of '<function>' would be <number> by argument '<parameter>' and <number> by argument '<parameter>'"},

    [IR_RULE_FORM_ARITY] = {"form-arity", SCOPE, "pypto-front-facts 2.11",
        "<form> takes <numbers> arguments by position, found <number>"},
    [IR_RULE_SCOPE_PLACE] = {"scope-place", SCOPE, "pypto-front-facts 2.11",
        "<scope> cannot stand in <scope>"},
    [IR_RULE_SCOPE_TASK] = {"scope-task", SCOPE, "pypto-front-facts 2.11",
        "<scope> is no task that `as` could name"},
    [IR_RULE_SCOPE_AUTO] = {"scope-auto", SCOPE, "pypto-front-facts 2.11",
        "pl.scope() by hand needs @pl.function(auto_scope=False): otherwise the compiler places it"},
    [IR_RULE_SPMD_BODY] = {"spmd-body", SCOPE, "pypto-front-facts 2.11",
        "the body of pl.spmd() calls <number> functions and never pl.tile.get_block_idx(): expected one call or the index"},
    [IR_RULE_PREDICATE] = {"predicate", SCOPE, "pypto-front-facts 2.7",
        "the predicate of <launcher> must be <what>"},
    [IR_RULE_PREDICATE_DEPS] = {"predicate-deps", SCOPE, "pypto-front-facts 2.7",
        "the predicate of <launcher> reads '<tensor>', which task '<task>' makes: deps must hold that task"},

    [IR_RULE_LOOP_EXIT] = {"loop-exit", STATEMENT, "1.1",
        "<statement> <where>"},
    [IR_RULE_LOOP_BOUND] = {"loop-bound", STATEMENT, "1.1",
        "the <bound> of a loop must be an integer scalar, found <found>"},
    [IR_RULE_LOOP_STEP] = {"loop-step", STATEMENT, "1.1",
        "the step of a loop cannot be 0"},
    [IR_RULE_CONDITION] = {"condition", STATEMENT, "pypto-front-facts 2.6",
        "the condition of <statement> must be a truth value, found <found>"},
    [IR_RULE_TUPLE_INDEX] = {"tuple-index", STATEMENT, "1.1",
        "index <index> is outside a tuple of <number>"},
    [IR_RULE_CARRIED_COUNT] = {"carried-count", STATEMENT, "1.1",
        "the loop has <number> iteration variables, but <number> <values>"},
    [IR_RULE_BRANCH_YIELDS] = {"branch-yields", STATEMENT, "1.1",
        "the statement has <number> results, but its <branch> branch yields <number> values"},
    [IR_RULE_YIELD_PLACE] = {"yield-place", STATEMENT, "1.1",
        "pl.yield_ stands at the end of a loop body or a branch only"},
    [IR_RULE_RETURN_COUNT] = {"return-count", STATEMENT, "1.1",
        "'<function>' returns <number> values, found <number>"},
    [IR_RULE_SCALAR_OUTPUT] = {"scalar-output", STATEMENT, "1.2",
        "scalar parameter '<parameter>' cannot be InOut"},
    [IR_RULE_TUPLE_PARAMETER] = {"tuple-parameter", STATEMENT, "1.2",
        "parameter '<parameter>' is a tuple, whose values must be parameters each"},
    [IR_RULE_FUNCTION_LEVEL] = {"function-level", STATEMENT, "1.1",
        "type <type> of '<function>' implies <keyword>=<value>, found <value>"},
    [IR_RULE_DIMENSION] = {"dimension", STATEMENT, "1.3",
        "dimension <dimension> of '<variable>' is <extent>, expected at least 1"},
    [IR_RULE_RESULT_TYPE] = {"result-type", STATEMENT, "2",
        "'<variable>' is declared as <type>, but <op> returns <type>"},

    [IR_RULE_SSA_SINGLE] = {"ssa-single", SSA, "1.5",
        "'<variable>' is assigned again; in SSA form each variable is defined once"},
    [IR_RULE_SSA_USE] = {"ssa-use", SSA, "1.5",
        "'<variable>' is used where no definition of it is in force"},
    [IR_RULE_SSA_CARRIED] = {"ssa-carried", SSA, "1.5",
        "the loop carries '<variable>' as <type>, but <what> is <type>"},
    [IR_RULE_SSA_BRANCHES] = {"ssa-branches", SSA, "1.5",
        "the branches yield '<variable>' as <type> and as <type>"},

    [IR_RULE_SCOPE_NULL] = {"scope-null", DOMAIN, "4.3",
        "a communication domain is null"},
    [IR_RULE_SCOPE_EMPTY] = {"scope-empty", DOMAIN, "4.3",
        "communication domain <name> has no slots"},
    [IR_RULE_SLOT_NULL] = {"slot-null", DOMAIN, "4.3",
        "slot <slot> of communication domain <name> is null"},
    [IR_RULE_SLOT_SHARED] = {"slot-shared", DOMAIN, "4.3",
        "window buffer '<window>' is a slot of communication domain <name> and of communication domain <name>"},
    [IR_RULE_SCOPE_DEVICES] = {"scope-devices", DOMAIN, "1.1",
        "the devices of communication domain <name> must be ascending integers from 0"},
    [IR_RULE_WINDOW_REFERENCE] = {"window-reference", DOMAIN, "1.4",
        "no slot of a communication domain is the window buffer '<label>'<hint>"},

    [IR_RULE_CTX_PARAMETER] = {"ctx-parameter", CONTEXT, "1.6",
        "function '<function>' has <number> DistributedTensor parameters, but <number> CommCtx parameters"},
    [IR_RULE_CTX_ORDER] = {"ctx-order", CONTEXT, "1.6",
        "DistributedTensor parameter '<parameter>' of '<function>' stands behind a CommCtx parameter"},
    [IR_RULE_CTX_ARGUMENT] = {"ctx-argument", CONTEXT, "1.6",
        "the call of '<function>' gives no context for its parameter '<parameter>'"},
    [IR_RULE_CTX_LOCAL] = {"ctx-local", CONTEXT, "1.6",
        "'<function>' asks for the context of its parameter '<parameter>' instead of receiving it"},
};
ROW_EACH(ir_rules, IR_RULE_COUNT);
/* clang-format on */

const struct ir_rule_row *ir_rule_find(const char *name)
{
    for (size_t i = 0; i < IR_RULE_COUNT; i++)
        if (strcmp(ir_rules[i].name, name) == 0)
            return &ir_rules[i];
    return NULL;
}

char *ir_rule_fill(struct arena *a, const char *message, const char *name, va_list strings)
{
    struct strbuf b = strbuf_make(a);
    for (const char *p = message; *p;) {
        if (*p == '<' && islower((unsigned char)p[1])) {
            const char *s = va_arg(strings, const char *);
            strbuf_add(&b, s ? s : "?");
            p = strchr(p, '>') + 1;
            continue;
        }
        size_t n = 1 + strcspn(p + 1, "<");
        strbuf_addn(&b, p, n);
        p += n;
    }
    strbuf_addf(&b, " [%s]", name);
    return b.text;
}

char *ir_rule_text(struct arena *a, enum ir_rule rule, va_list strings)
{
    return ir_rule_fill(a, ir_rules[rule].message, ir_rules[rule].name, strings);
}
