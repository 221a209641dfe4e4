/* SPDX-License-Identifier: MIT */
/* The commands of docs/cluster.md, as they stand there, on one machine. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "tests/support.h"

static const char *read_text(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return s->text;
}

/* The block of the page that is called so: "```sh part.sh". */
static const char *block(struct arena *a, const char *page, const char *name)
{
    const char *head = arena_printf(a, "```sh %s\n", name), *begin = strstr(page, head);
    cr_assert(begin, "no block '%s'", name);
    begin += strlen(head);
    const char *end = strstr(begin, "```\n");
    cr_assert(end, "%s", name);
    return arena_strndup(a, begin, (size_t)(end - begin));
}

static void write_block(struct arena *a, const char *page, const char *name, const char *folder)
{
    FILE *f = fopen(arena_printf(a, "%s/%s", folder, name), "w");
    cr_assert(f && fputs(block(a, page, name), f) >= 0 && fclose(f) == 0);
}

/* Runs commands in the folder, where fencebench is a command and kernels is a folder. */
static int run(struct arena *a, const char *folder, const char *commands)
{
    const char *script = arena_printf(a, "%s/commands.sh", folder);
    FILE *f = fopen(script, "w");
    cr_assert(f && fputs(commands, f) >= 0 && fclose(f) == 0);
    int status = system(
        arena_printf(a, "cd %s && PATH=\"$PWD/bin:$PATH\" bash commands.sh >log 2>&1", folder));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void open_folder(struct arena *a, char *folder)
{
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
    char models[PATH_MAX];
    cr_assert(mkdtemp(folder) != NULL && realpath("models", models));
    setenv("FENCEBENCH_MODELS", models, 1);
    cr_assert(system(arena_printf(a,
                                  "mkdir %s/bin && ln -s \"$(realpath '%s')\" %s/bin/fencebench && "
                                  "ln -s \"$PWD/kernels\" %s/kernels",
                                  folder, binary, folder, folder)) == 0);
}

static const char *const one_go =
    "fencebench sweep -P 2 --model=a2a3,a2a3-blocking --runs=16 --origins=W1,R1 --csv=one.csv "
    "kernels/scalar_publish_first_line.py > one.txt";

/* How the parts are run; NULL: the job of an array, task by task. */
static const struct {
    const char *name, *needs, *block;
} ways[] = {
    {"parallel", "parallel", "parallel"},
    {"xargs", "xargs", "xargs"},
    {"slurm", NULL, NULL},
};

static int run_array(struct arena *a, const char *folder)
{
    return run(a, folder,
               "for i in 1 2 3 4; do SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=4 bash "
               "sweep.sbatch || exit; done");
}

/* Each way gives the table of one sweep in one go; a part that is run again has nothing to do. */
Test(cluster, commands_of_the_page, .timeout = 120)
{
    struct arena a = {0};
    const char *page = read_text(&a, "docs/cluster.md");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char folder[] = "/tmp/fencebench-cluster-XXXXXX";
        if (ways[i].needs &&
            system(arena_printf(&a, "command -v %s >/dev/null", ways[i].needs)) != 0)
            continue;
        open_folder(&a, folder);
        write_block(&a, page, "part.sh", folder);
        write_block(&a, page, "sweep.sbatch", folder);
        for (int again = 0; again < 2; again++) {
            int code = ways[i].block ? run(&a, folder, block(&a, page, ways[i].block))
                                     : run_array(&a, folder);
            cr_expect(code == 0, "%s: status %d, %s", ways[i].name, code,
                      read_text(&a, arena_printf(&a, "%s/log", folder)));
        }
        cr_expect(run(&a, folder, block(&a, page, "merge")) == 0, "%s", ways[i].name);
        cr_expect(run(&a, folder, one_go) == 0);
        expect_text(ways[i].name, read_text(&a, arena_printf(&a, "%s/all.csv", folder)),
                    read_text(&a, arena_printf(&a, "%s/one.csv", folder)));
        expect_text(ways[i].name, read_text(&a, arena_printf(&a, "%s/all.txt", folder)),
                    read_text(&a, arena_printf(&a, "%s/one.txt", folder)));
        cr_expect(system(arena_printf(&a, "rm -r %s", folder)) == 0);
    }
    arena_free(&a);
}

/* A part whose command is wrong fails, and so does the whole. */
Test(cluster, an_error_is_no_answer, .timeout = 60)
{
    struct arena a = {0};
    const char *page = read_text(&a, "docs/cluster.md");
    char folder[] = "/tmp/fencebench-cluster-XXXXXX";
    open_folder(&a, folder);
    write_block(&a, page, "part.sh", folder);
    cr_expect(run(&a, folder,
                  "sed -i 's/-P 2/-P none/' part.sh; seq 1 2 | xargs -I{} bash part.sh "
                  "{} 2") != 0);
    cr_expect(run(&a, folder, "bash part.sh 3 2") != 0, "a part that is none");
    cr_expect(system(arena_printf(&a, "rm -r %s", folder)) == 0);
    arena_free(&a);
}
