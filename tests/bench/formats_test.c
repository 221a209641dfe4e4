/* SPDX-License-Identifier: MIT */
/* Reports for other programs: JSON as its schema says, SARIF, JUnit, annotations. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/diag.h"
#include "tests/bench/json_schema.h"
#include "tests/bench/session.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define RING         "-P 2 $K/put_ring.py --arg SIZE=4 --arg CHUNK=4"

/* Each command, with what it finds and without; of three drivers; not to the end; not at all. */
static const struct {
    const char *command;
    int code;
    const char *answer; /* of the first result, or NULL: there is none */
} reports[] = {
    {"check -P 2 --runs=20 $K/put_ring.py $K/mesh_allreduce.py", 1, "clean"},
    {"check -P 2 --runs=20 --markers=off $K/put_ring.py", 1, "findings"},
    {"check -P 2 --runs=20 --driver=pct $K/put_ring.py", 0, "clean"},
    {"check -P 2 --runs=20 --driver=random --markers=off $K/relay.py", 1, "findings"},
    {"check -P 2 --runs=20 --markers=off --passes=none --model=sc $K/put_ring.py", 0, "clean"},
    {"check --seconds=1 --runs=100000000 --explore=never -P 2 $K/put_ring.py", 3, "unfinished"},
    {"check none.py", 2, NULL},
    {"check -P 2 e.py", 1, "findings"}, /* as its file does not expect it */
    {"run -P 2 --markers=off $K/put_ring.py", 1, "findings"},
    {"run -P 2 $K/put_ring.py --remove=2", 0, "clean"},
    {"explore " RING, 0, "clean"},
    {"explore " RING " --markers=off", 1, "findings"},
    {"explore -P 2 --max-states=5 $K/put_ring.py", 3, "unfinished"},
    {"lint -P 2 --markers=off $K/put_ring.py", 1, "findings"},
    {"lint -P 2 $K/put_ring.py", 0, "clean"},
    {"lint none.py", 2, NULL},
    {"run none.py", 2, NULL},
    {"explore none.py", 2, NULL},
    {"sweep none.py", 2, NULL},
    {"sweep -P 2 --runs=9 --no-pairs $K/put_ring.py", 0, "clean"},
    {"sweep -P 2 --runs=9 --origins=R1 --fail-on=redundant $K/put_ring.py", 1, "findings"},
    {"sweep -P 2 --runs=9 --origins=R1 --max-states=0 $K/put_ring.py", 3, "unfinished"},
    {"sweep -P 2 --runs=9 --markers=off --origins=codegen $K/put_ring.py", 1, "clean"},
};

static json_t *schema(void)
{
    json_error_t e;
    json_t *j = json_load_file("docs/fencebench.schema.json", 0, &e);
    cr_assert(j, "line %d: %s", e.line, e.text);
    return j;
}

static json_t *first_of(const json_t *report, const char *list)
{
    return json_array_get(json_object_get(report, list), 0);
}

static const char *text_of(const json_t *j, const char *key)
{
    const char *text = json_string_value(json_object_get(j, key));
    return text ? text : "(none)";
}

Test(formats, json_is_as_its_schema_says, .timeout = 120)
{
    struct session s;
    session_open(&s);
    json_t *described = schema();
    session_shell(&s, "cp $K/put_ring.py e.py; echo '# fencebench: expect a2a3 race' >> e.py");
    for (size_t i = 0; i < COUNT(reports); i++) {
        const char *command = reports[i].command;
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena, "$F %s --format=json", command));
        json_t *j = session_json(command, &r);
        const char *bad = json_schema_violation(&s.arena, described, j);
        cr_expect(!bad, "%s: %s", command, bad);
        cr_expect(r.code == reports[i].code, "%s: exit code %d\n%s", command, r.code, r.err);
        const char *answer = reports[i].answer ? reports[i].answer : "(none)";
        cr_expect_str_eq(text_of(first_of(j, "results"), "answer"), answer, "%s", command);
        cr_expect((json_array_size(json_object_get(j, "errors")) > 0) == !reports[i].answer, "%s",
                  command);
        json_decref(j);
    }
    json_decref(described);
    session_close(&s);
}

/* The validator sees what the schema forbids. */
Test(formats, the_schema_refuses)
{
    static const struct {
        const char *json, *says;
    } rows[] = {
        {"{\"schema\": \"fencebench/2\", \"command\": \"check\", \"build\": \"x\", \"results\": "
         "[], \"errors\": []}",
         "/schema: is not"},
        {"{\"schema\": \"fencebench/1\"}", ": lacks \"command\""},
        {"{\"schema\": \"fencebench/1\", \"command\": \"check\", \"build\": 7, \"results\": [], "
         "\"errors\": []}",
         "/build: is not of type"},
        {"{\"schema\": \"fencebench/1\", \"command\": \"check\", \"build\": \"x\", \"results\": "
         "[], \"errors\": [], \"more\": 1}",
         "/more: is not described"},
        {"{\"schema\": \"fencebench/1\", \"command\": \"check\", \"build\": \"x\", \"results\": "
         "[], \"errors\": [{\"file\": null, \"line\": -1, \"column\": 1, \"error\": \"\"}]}",
         "/errors/0/line: is below 0"},
    };
    struct arena a = {0};
    json_t *described = schema();
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_t *j = json_loads(rows[i].json, 0, NULL);
        const char *bad = json_schema_violation(&a, described, j);
        cr_expect(bad && strstr(bad, rows[i].says), "%s: %s", rows[i].json, bad);
        json_decref(j);
    }
    json_decref(described);
    arena_free(&a);
}

/* The numbers of a line's place, when they are these. */
static bool is_at(const json_t *place, int line, const char *core, const char *pipe)
{
    return json_integer_value(json_object_get(place, "line")) == line &&
           !strcmp(text_of(place, "core"), core) && !strcmp(text_of(place, "pipe"), pipe);
}

/* put_ring without markers: rank 0 puts (line 28) and notifies (line 29), rank 1 waits (line 30) and loads
 * (line 34); the put's store may be in flight still. A dsb in front of the notify holds it. */
Test(formats, a_finding_has_both_sides_the_edge_and_the_edit)
{
    struct session s;
    session_open(&s);
    static const char command[] = "$F check -P 2 --markers=off $K/put_ring.py --json";
    struct session_result r = session_shell(&s, command);
    json_t *j = session_json(command, &r), *result = first_of(j, "results"),
           *f = first_of(result, "findings"), *edge = json_object_get(f, "edge"),
           *edit = first_of(f, "edit");
    cr_expect_str_eq(text_of(f, "verdict"), "stale read");
    cr_expect_str_eq(text_of(f, "tensor"), "win");
    cr_expect(is_at(json_object_get(f, "reader"), 34, "1", "mte2"), "%s", r.out);
    cr_expect(is_at(json_object_get(f, "producer"), 28, "0", "mte3"), "%s", r.out);
    cr_expect(is_at(json_object_get(f, "wait"), 30, "1", "s"), "%s", r.out);
    cr_expect_str_eq(text_of(edge, "kind"), "signal");
    cr_expect(is_at(json_object_get(edge, "release"), 29, "0", "s"), "%s", r.out);
    cr_expect_str_eq(text_of(edit, "insert"), "        pl.system.fence()\n");
    cr_expect(json_integer_value(json_object_get(edit, "line")) == 29, "%s", r.out);
    json_t *scope = json_object_get(result, "scope");
    cr_expect_str_eq(text_of(scope, "contract"), "a2a3");
    cr_expect(json_is_null(json_object_get(scope, "bound")), "%s", r.out);
    json_decref(j);
    session_close(&s);
}

/* What the edits of the first finding say, done as docs/json.md has it: from the last to the first. */
static const char *edited(struct session *s, const json_t *finding, const char *text)
{
    const json_t *list = json_object_get(finding, "edit");
    for (size_t i = json_array_size(list); i-- > 0;) {
        const json_t *e = json_array_get(list, i);
        const char *at = text;
        for (json_int_t n = json_integer_value(json_object_get(e, "line")); n > 1; n--)
            at = strchr(at, '\n') + 1;
        at += json_integer_value(json_object_get(e, "column")) - 1;
        text =
            arena_printf(&s->arena, "%.*s%s%s", (int)(at - text), text, text_of(e, "insert"), at);
    }
    return text;
}

Test(formats, the_edit_repairs)
{
    struct session s;
    session_open(&s);
    static const char command[] = "$F check -P 2 --markers=off k.py --json";
    session_shell(&s, "cp $K/put_ring.py k.py");
    struct session_result r = session_shell(&s, command);
    json_t *j = session_json(command, &r);
    const json_t *f = first_of(first_of(j, "results"), "findings");
    session_write(&s, "k.py", edited(&s, f, session_read(&s, "k.py")));
    json_decref(j);
    r = session_shell(&s, "$F check -P 2 --markers=off k.py");
    cr_expect(r.code == 0, "%s%s", r.out, r.err);
    session_close(&s);
}

/* ---- SARIF ---- */

static const json_t *member(const json_t *j, const char *const *keys)
{
    for (; *keys; keys++)
        j = **keys >= '0' && **keys <= '9' ? json_array_get(j, (size_t)(**keys - '0'))
                                           : json_object_get(j, *keys);
    return j;
}
#define MEMBER(j, ...) member(j, (const char *const[]){__VA_ARGS__, NULL})

static json_int_t start_line(const json_t *location)
{
    return json_integer_value(MEMBER(location, "physicalLocation", "region", "startLine"));
}

Test(formats, sarif_tells_the_story_and_the_fix)
{
    struct session s;
    session_open(&s);
    static const char command[] = "$F check -P 2 --markers=off $K/put_ring.py --format=sarif";
    struct session_result r = session_shell(&s, command);
    json_t *j = session_json(command, &r);
    const json_t *run = MEMBER(j, "runs", "0"), *result = MEMBER(run, "results", "0"),
                 *flow = MEMBER(result, "codeFlows", "0", "threadFlows", "0", "locations"),
                 *fix = MEMBER(result, "fixes", "0", "artifactChanges", "0", "replacements", "0");
    cr_expect(r.code == 1);
    cr_expect_str_eq(text_of(j, "version"), "2.1.0");
    cr_expect_str_eq(text_of(result, "ruleId"), "stale-read");
    const json_t *rules = MEMBER(run, "tool", "driver", "rules");
    size_t index = (size_t)json_integer_value(json_object_get(result, "ruleIndex"));
    cr_expect_str_eq(text_of(json_array_get(rules, index), "id"), "stale-read");
    cr_expect(start_line(MEMBER(result, "locations", "0")) == 34, "%s", r.out);
    static const int lines[] = {28, 30, 34}; /* write, wait, read */
    cr_expect(json_array_size(flow) == COUNT(lines), "%s", r.out);
    for (size_t i = 0; i < COUNT(lines); i++)
        cr_expect(start_line(MEMBER(json_array_get(flow, i), "location")) == lines[i], "%s", r.out);
    cr_expect_str_eq(text_of(MEMBER(fix, "insertedContent"), "text"),
                     "        pl.system.fence()\n");
    cr_expect(json_integer_value(MEMBER(fix, "deletedRegion", "startLine")) == 29);
    cr_expect(json_is_true(MEMBER(run, "invocations", "0", "executionSuccessful")));
    json_decref(j);
    session_close(&s);
}

Test(formats, sarif_has_a_rule_for_each_class_of_mutants, .timeout = 60)
{
    struct session s;
    session_open(&s);
    static const char command[] = "$F sweep -P 2 --runs=9 --origins=R1 --fail-on=redundant "
                                  "$K/put_ring.py --format=sarif";
    struct session_result r = session_shell(&s, command);
    json_t *j = session_json(command, &r);
    const json_t *run = MEMBER(j, "runs", "0"), *result = MEMBER(run, "results", "0"),
                 *rules = MEMBER(run, "tool", "driver", "rules");
    size_t index = (size_t)json_integer_value(json_object_get(result, "ruleIndex"));
    cr_expect(r.code == 1);
    cr_expect_str_eq(text_of(result, "ruleId"), "redundant");
    cr_expect_str_eq(text_of(json_array_get(rules, index), "id"), "redundant");
    cr_expect(start_line(MEMBER(result, "locations", "0")) == 30, "%s", r.out);
    json_decref(j);
    session_close(&s);
}

/* A class that fails the job may be known, by the mutant and the line that it is at. */
Test(formats, mutants_in_a_baseline, .timeout = 60)
{
    static const struct {
        const char *options;
        int code;
    } rows[] = {
        {"--fail-on=redundant", 1},
        {"--fail-on=redundant --baseline=b.json --update-baseline", 0},
        {"--fail-on=redundant --baseline=b.json", 0},
        {"--fail-on=redundant,killed --baseline=b.json --origins=R1,W2", 1},
    };
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena,
                                           "$F sweep -P 2 --runs=9 --no-pairs --origins=R1 %s "
                                           "$K/put_ring.py",
                                           rows[i].options));
        cr_expect(r.code == rows[i].code, "%s: exit code %d\n%s%s", rows[i].options, r.code, r.out,
                  r.err);
    }
    session_close(&s);
}

Test(formats, sarif_says_what_was_not_checked)
{
    static const char *const commands[] = {
        "$F check none.py --format=sarif",
        "$F explore -P 2 --max-states=5 $K/put_ring.py --format=sarif",
    };
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct session_result r = session_shell(&s, commands[i]);
        json_t *j = session_json(commands[i], &r);
        const json_t *call = MEMBER(j, "runs", "0", "invocations", "0");
        cr_expect(json_is_false(json_object_get(call, "executionSuccessful")), "%s", commands[i]);
        cr_expect(json_array_size(json_object_get(call, "toolExecutionNotifications")) == 1);
        json_decref(j);
    }
    session_close(&s);
}

/* ---- text formats ---- */

static const struct {
    const char *command;
    const char *has[4], *lacks;
} texts[] = {
    {"check -P 2 --markers=off $K/put_ring.py $K/put_ring.py --model=sc,a2a3 --format=junit",
     {"<testsuites name=\"fencebench\" tests=\"4\" failures=\"2\" errors=\"0\">",
      "<testcase classname=\"put_ring\" name=\"put_ring P=2 sc\"",
      "<failure message=\"stale read at win[0]@1\" type=\"stale read\">"},
     NULL},
    {"check none.py --format=junit",
     {"tests=\"1\" failures=\"0\" errors=\"1\"", "classname=\"none.py\" name=\"compile\"",
      "<error message=\"cannot open: No such file or directory\""},
     "<failure"},
    {"explore -P 2 --max-states=5 $K/put_ring.py --format=junit",
     {"failures=\"0\" errors=\"1\"", "<error message=\"ended before an answer\""},
     "<failure"},
    {"check -P 2 --runs=5 $K/put_ring.py --format=junit",
     {"tests=\"1\" failures=\"0\" errors=\"0\""},
     "<error"},
    {"check -P 2 --markers=off $K/put_ring.py --format=github",
     {"::error file=", "put_ring.py,line=34,col=13,title=stale read::stale read at win[0]@1 (",
      "remedy: missing fence (dsb) between the write (line 28) and the notify (line 29)\n"},
     NULL},
    {"check 'a,b:c%.py' --format=github",
     {"::error file=a%2Cb%3Ac%25.py,title=not checked::cannot open"},
     NULL},
    {"check -P 2 --runs=5 $K/put_ring.py --format=github", {""}, "::"},
    /* A put is read by DMA: what the markers behind waits clean is nobody's business. */
    {"sweep -P 2 --runs=9 --origins=R1 --fail-on=redundant $K/put_ring.py --format=junit",
     {"tests=\"5\" failures=\"4\" errors=\"0\"",
      "name=\"put_ring P=2 a2a3 site 15: cacheinvalid all: before the wait\"",
      "<failure message=\"cacheinvalid all removed: redundant (DMA reads bypass the cache)\" "
      "type=\"redundant\">"},
     NULL},
    {"sweep -P 2 --runs=9 --origins=R1 --max-states=0 $K/put_ring.py --format=junit",
     {"failures=\"0\" errors=\"4\"",
      "<error message=\"no run needs this marker, and there is no proof\""},
     "<failure"},
    {"sweep -P 2 --runs=9 --origins=R1 --fail-on=redundant $K/put_ring.py --format=github",
     {"put_ring.py,line=30,col=9,title=redundant::cacheinvalid all removed: redundant (DMA reads"},
     "unfinished"},
    /* What the kernel shows before any mutation is an error of its own. */
    {"sweep -P 2 --runs=9 --origins=R1 --no-pairs $K/mesh_allreduce.py --format=github",
     {"title=overrun read::overrun read at win[0]@"},
     "title=redundant"},
    {"check '<&\">.py' --format=junit", {"classname=\"&lt;&amp;&quot;&gt;.py\""}, "<&"},
};

Test(formats, junit_and_annotations)
{
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena, "$F %s", texts[i].command));
        for (size_t n = 0; n < COUNT(texts[i].has) && texts[i].has[n]; n++)
            cr_expect(strstr(r.out, texts[i].has[n]), "%s: lacks %s\n%s", texts[i].command,
                      texts[i].has[n], r.out);
        cr_expect(!texts[i].lacks || !strstr(r.out, texts[i].lacks), "%s: has %s\n%s",
                  texts[i].command, texts[i].lacks, r.out);
    }
    session_close(&s);
}

Test(formats, refused)
{
    static const struct {
        const char *command, *says;
    } rows[] = {
        {"check --format=sarfi $K/put_ring.py", "did you mean 'sarif'?"},
        {"check --findings=3 --table $K/put_ring.py", "--table prints none of them"},
        {"check --findings=3 --json $K/put_ring.py", "this format prints all of them"},
        {"check --table --json $K/put_ring.py", "--table excludes other formats than text"},
        {"check --markers=off --batch=none $K/put_ring.py", "--batch says how markers are placed"},
        {"run --rules=proposed --markers=off $K/put_ring.py", "--rules says how markers are"},
        {"check --dispatch-skew=5 $K/put_ring.py", "no program here has a host"},
        {"check --against=ptoas-0.5 $K/put_ring.py",
         "'ptoas-0.5' is no toolchain, model, batch mode or report; did you mean 'ptoas-0.50'?"},
        {"check --against=none.json $K/put_ring.py", "none.json: error: cannot open"},
        {"check --against=$K/put_ring.py $K/put_ring.py", "put_ring.py:1:"},
        {"check --against=../../$PWD $K/put_ring.py", ": error: "},
        {"check --against=sc --model=a2a3,weakest $K/put_ring.py", "compared with one, not with 2"},
        {"check --against=sc --json $K/put_ring.py", "--against prints a table"},
        {"check --json --format=junit $K/put_ring.py", "the format was given as json already"},
    };
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena, "$F %s", rows[i].command));
        cr_expect(r.code == 2 && strstr(r.err, rows[i].says), "%s: %s", rows[i].command, r.err);
    }
    session_close(&s);
}

/* ---- the workflows ---- */

/* The commands of docs/ci.md, each as it stands there: its code with a kernel that has a bug, and with one
 * that has none. */
static const struct {
    const char *command;
    int bug, clean;
} workflows[] = {
    {"fencebench check kernels/*.py --format=github", 1, 0},
    {"fencebench check kernels/*.py --format=sarif > fencebench.sarif", 1, 0},
    {"fencebench check kernels/*.py --format=junit > fencebench.xml", 1, 0},
    {"fencebench check kernels/*.py --baseline=known.json --update-baseline", 0, 0},
    {"fencebench check kernels/*.py --baseline=known.json", 0, 0},
    {"fencebench check kernels/*.py --baseline=known.json --format=github", 0, 0},
    {"fencebench check kernels/*.py --against=last.json", 1, 0},
    {"fencebench sweep kernels/*.py --origins=by-hand --fail-on=redundant --format=github", 1, 0},
};

/* How often a text stands in another. */
static size_t times(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

Test(formats, workflows_are_as_documented, .timeout = 120)
{
    struct session s;
    session_open(&s);
    struct diag d = {.arena = &s.arena};
    const struct source *page = source_read(&s.arena, "docs/ci.md", &d);
    cr_assert(page);
    size_t tested = 0;
    session_shell(&s, "mkdir bin kernels; ln -s $F bin/fencebench");
    for (size_t i = 0; i < COUNT(workflows); i++) {
        cr_expect(strstr(page->text, workflows[i].command), "docs/ci.md lacks %s",
                  workflows[i].command);
        tested += times(page->text, workflows[i].command);
        for (int clean = 1; clean >= 0; clean--) {
            session_shell(&s, arena_printf(&s.arena, "cp $K/%s.py kernels/k.py",
                                           clean ? "put_ring" : "mesh_allreduce"));
            if (!clean && strstr(workflows[i].command, "--baseline"))
                session_shell(&s, "$F check kernels/k.py --baseline=known.json --update-baseline");
            if (strstr(workflows[i].command, "--against"))
                session_shell(&s, "$F check kernels/k.py --json > last.json");
            struct session_result r = session_shell(
                &s, arena_printf(&s.arena, "PATH=$PWD/bin:$PATH; %s", workflows[i].command));
            int code = clean ? workflows[i].clean : workflows[i].bug;
            cr_expect(r.code == code, "%s: exit code %d\n%s%s", workflows[i].command, r.code, r.out,
                      r.err);
        }
    }
    cr_expect(tested >=
                  times(page->text, "fencebench check ") + times(page->text, "fencebench sweep "),
              "a command of docs/ci.md is not run");
    session_close(&s);
}

/* put_ring's bug without markers is one of a2a3 alone: nothing is posted under sc. The remote store of the
 * other kernel is queued still when 0.52's dsb runs (docs/findings.md). */
Test(formats, against, .timeout = 60)
{
    static const struct {
        const char *options, *says;
    } cases[] = {
        {"--markers=off --against=sc $K/put_ring.py",
         "put_ring                       2  a2a3           25 % stale read        clean\n"
         "against sc: 1 of 1 cases have other verdicts\n"},
        {"--against=none $K/put_ring.py", "against none: 0 of 1 cases have other verdicts\n"},
        {"--against=ptoas-0.52 $K/remote_store_push.py", " stale read\nagainst ptoas-0.52: 1 of 1"},
    };
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena, "$F check -P 2 %s", cases[i].options));
        cr_expect(strstr(r.out, cases[i].says), "%s: %s%s", cases[i].options, r.out, r.err);
    }
    session_close(&s);
}

/* An earlier report stands for the build that wrote it: put_ring fails without its markers alone, relay as
 * it does with them, and what stands on one side only is counted. */
Test(formats, against_a_report, .timeout = 60)
{
    static const struct {
        const char *command;
        int code;
        const char *says;
    } rows[] = {
        {"$F check -P 2 --markers=off $K/put_ring.py --json > old.json", 1, ""},
        {"$F check -P 2 --markers=off $K/put_ring.py --against=old.json", 1,
         ": 0 of 1 cases have other verdicts\n"},
        {"$F check -P 2 $K/put_ring.py --against=old.json", 0,
         "put_ring                       2  a2a3           clean                  25 % stale read\n"
         "against old.json (build "},
        {"$F check -P 2,3 $K/put_ring.py --against=old.json", 0,
         ": 1 of 1 cases have other verdicts, 1 are not in it\n"},
        {"$F check -P 2 $K/relay.py --against=old.json", 0,
         ": 0 of 0 cases have other verdicts, 1 are not in it, 1 of it were not checked\n"},
        {"$F explore -P 2 --markers=off $K/put_ring.py --json > old.json", 1, ""},
        {"$F check -P 2 $K/put_ring.py --against=old.json", 0,
         " clean                  stale read\n"},
        {"$F check -P 2 --runs=100000000 --explore=never --seconds=1 $K/put_ring.py "
         "--against=old.json",
         3, ": 0 of 1 cases have other verdicts, 1 ended too early to say\n"},
        {"$F lint $K/put_ring.py --json > old.json", 0, ""},
        {"$F check -P 2 $K/put_ring.py --against=old.json 2>&1", 2,
         "old.json: error: is no report of check, explore or run"},
        {"echo '{\"schema\":' > old.json", 0, ""},
        {"$F check -P 2 $K/put_ring.py --against=old.json 2>&1", 2, "old.json:2:1: error: "},
    };
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r = session_shell(&s, rows[i].command);
        cr_expect(r.code == rows[i].code && strstr(r.out, rows[i].says), "%s: exit code %d\n%s%s",
                  rows[i].command, r.code, r.out, r.err);
    }
    session_close(&s);
}
