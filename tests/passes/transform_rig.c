/* SPDX-License-Identifier: MIT */
#include "tests/passes/transform_rig.h"

#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

enum { BODY_INDENT = 8 };

const char transform_imports[] = "import pypto.language as pl\n"
                                 "import pypto.language.distributed as pld\n";

/* Checks what each pass of a run leaves behind. */
static const struct pass_options checked = {
    .batch = PASS_BATCH_LOOPS, .markers = true, .verify_each = true};

const struct ir_program *transform_parse(struct arena *a, const char *name, const char *text)
{
    struct diag d = {.arena = a};
    const struct ir_program *p = ir_parse(a, source_from_string(a, "t.py", text), &d);
    cr_assert(p && verify_program(p, &d), "%s: %s\n%s", name, diag_text(&d, a), text);
    return p;
}

const char *transform_text(struct arena *a, const struct frame *frame, const char *body)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, frame->head);
    while (*body) {
        size_t len = strcspn(body, "\n") + 1;
        strbuf_pad(&b, ' ', BODY_INDENT);
        strbuf_addn(&b, body, len);
        body += len;
    }
    return b.text;
}

const char *transform_body(struct arena *a, const struct ir_program *p, const char *function)
{
    struct strbuf b = strbuf_make(a);
    const char *line = strstr(ir_print(a, p), arena_printf(a, "def %s(", function));
    cr_assert(line, "no function %s", function);
    for (line = strchr(line, '\n') + 1; strncmp(line, "        ", BODY_INDENT) == 0;
         line = strchr(line, '\n') + 1)
        strbuf_addn(&b, line + BODY_INDENT, strcspn(line, "\n") + 1 - BODY_INDENT);
    return b.text;
}

const struct ir_program *transform_run(struct arena *a, const char *name,
                                       const struct ir_program *p, const char *const *names,
                                       size_t n)
{
    struct diag d = {.arena = a};
    const struct ir_program *out = passes_run(a, p, names, n, &checked, NULL, &d);
    cr_assert(out, "%s: %s", name, diag_text(&d, a));
    return out;
}

static int lines_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static const char *short_error(struct arena *a, const struct diag *d, int line, int col)
{
    return arena_printf(a, "%d:%d+%d: %s", d->span.line - line, d->span.col - col, d->span.len,
                        d->message);
}

/* What a run of the pass gives: a program, or NULL and an error as the cases spell it. */
static const struct ir_program *attempt(struct arena *a, const struct ir_program *p,
                                        const char *pass, int line, int col, const char **error)
{
    struct diag d = {.arena = a};
    const char *before = ir_print(a, p);
    const struct ir_program *out = passes_run(a, p, &pass, 1, &checked, NULL, &d);
    cr_expect((out == NULL) == d.failed, "an error and only an error is reported");
    expect_text("the program given to the pass", ir_print(a, p), before);
    const char *prefix = arena_printf(a, "%s: ", pass);
    if (!out && strncmp(d.message, prefix, strlen(prefix)) == 0)
        d.message += strlen(prefix);
    *error = out ? NULL : short_error(a, &d, line, col);
    return out;
}

static void expect_stable(struct arena *a, const char *name, const struct ir_program *p,
                          const char *pass)
{
    const struct ir_program *again = transform_run(a, name, p, &pass, 1);
    cr_expect(ir_equal(p, again), "%s: a second run changes the program:\n%s", name,
              ir_print(a, again));
    expect_text(name, ir_print(a, again), ir_print(a, p));
}

/* The part of a printed program that a case writes down. */
static const char *shown(struct arena *a, const struct frame *frame, const struct ir_program *p)
{
    return frame ? transform_body(a, p, frame->function)
                 : ir_print(a, p) + strlen(transform_imports);
}

static void expect_one(const struct frame *frame, const char *pass, const struct transform_case *c)
{
    struct arena a = {0};
    const char *text = frame ? transform_text(&a, frame, c->before)
                             : arena_printf(&a, "%s%s", transform_imports, c->before);
    const struct ir_program *p = transform_parse(&a, c->name, text);
    const char *error = NULL;
    const struct ir_program *out =
        attempt(&a, p, pass, frame ? lines_of(frame->head) : 0, frame ? BODY_INDENT : 0, &error);
    if (!out) {
        expect_text(c->name, error, c->error ? c->error : "no error");
    } else {
        expect_text(c->name, shown(&a, frame, out),
                    c->error   ? "an error"
                    : c->after ? c->after
                               : shown(&a, frame, p));
        expect_stable(&a, c->name, out, pass);
    }
    arena_free(&a);
}

void expect_transforms(const struct frame *frame, const char *pass,
                       const struct transform_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect_one(frame, pass, &cases[i]);
}

void expect_programs(const char *pass, const struct transform_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect_one(NULL, pass, &cases[i]);
}

/* ---- files of cases ---- */

/* What a file has said since its last frame and its last case. */
struct case_reader {
    struct arena arena;
    const char *pass;
    struct frame frame; /* without a function: whole programs */
    struct transform_case open;
    struct strbuf lines; /* of the part at hand */
    enum { PART_NONE, PART_FRAME, PART_BEFORE, PART_AFTER } part;
    size_t cases;
};

static void end_part(struct case_reader *r)
{
    if (r->part == PART_FRAME)
        r->frame.head = r->lines.text;
    if (r->part == PART_BEFORE)
        r->open.before = r->lines.text;
    if (r->part == PART_AFTER)
        r->open.after = r->lines.text;
    r->lines = strbuf_make(&r->arena);
}

static void end_case(struct case_reader *r)
{
    end_part(r);
    if (r->open.name) {
        expect_one(r->frame.function ? &r->frame : NULL, r->pass, &r->open);
        r->cases++;
    }
    r->open = (struct transform_case){0};
    r->part = PART_NONE;
}

/* What follows `word` on the line, or NULL when the line starts with another. */
static const char *after_word(const char *line, const char *word)
{
    size_t len = strlen(word);
    return strncmp(line, word, len) == 0 ? line + len : NULL;
}

static void read_line(struct case_reader *r, const char *line)
{
    const char *rest;
    if (after_word(line, "##"))
        return;
    if ((rest = after_word(line, "# frame "))) {
        end_case(r);
        r->frame = (struct frame){.function = rest};
        r->part = PART_FRAME;
    } else if (after_word(line, "# program")) {
        end_case(r);
        r->frame = (struct frame){0};
    } else if ((rest = after_word(line, "# case "))) {
        end_case(r);
        r->open.name = rest;
        r->part = PART_BEFORE;
    } else if (after_word(line, "# after")) {
        end_part(r);
        r->part = PART_AFTER;
    } else if (after_word(line, "# unchanged")) {
        end_part(r);
        r->part = PART_NONE;
    } else if ((rest = after_word(line, "# error "))) {
        end_part(r);
        r->open.error = rest;
        r->part = PART_NONE;
    } else {
        strbuf_addf(&r->lines, "%s\n", line);
    }
}

void expect_case_file(const char *path, const char *pass)
{
    struct case_reader r = {.pass = pass};
    struct diag d = {.arena = &r.arena};
    const struct source *file = source_read(&r.arena, path, &d);
    cr_assert(file, "%s", diag_text(&d, &r.arena));
    r.lines = strbuf_make(&r.arena);
    for (const char *p = file->text; *p;) {
        size_t len = strcspn(p, "\n");
        read_line(&r, arena_strndup(&r.arena, p, len));
        p += len + (p[len] == '\n');
    }
    end_case(&r);
    cr_assert(r.cases > 0, "%s holds no case", path);
    arena_free(&r.arena);
}
