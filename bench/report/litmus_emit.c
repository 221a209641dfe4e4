/* SPDX-License-Identifier: MIT */
#include "bench/report/litmus_emit.h"

#include <string.h>

#include "bench/report/output.h"
#include "litmus/promela/promela.h"

/* Text and file of one job; what they need is freed with the scratch arena. */
static bool emit_job(const struct litmus_job *j, const char *path, struct arena *scratch,
                     struct diag *d)
{
    const char *text = litmus_promela(scratch, j->test, j->contract, d);
    return text && output_text(path, text, d);
}

/* Jobs of one name would overwrite each other. */
static bool names_differ(const struct litmus_job *jobs, size_t n, struct diag *d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(jobs[i].test->name, jobs[k].test->name) &&
                !strcmp(jobs[i].contract->name, jobs[k].contract->name))
                return diag_error(d, jobs[i].test->source, (struct span){0},
                                  "the test '%s' is also in %s, and their models would have the "
                                  "same file",
                                  jobs[i].test->name, jobs[k].test->source->name);
    return true;
}

/* A name such as ../a would leave the folder. */
static bool names_are_files(const struct litmus_job *jobs, size_t n, struct diag *d)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(jobs[i].test->name, '/'))
            return diag_error(d, jobs[i].test->source, (struct span){0},
                              "the test '%s' has a '/' in its name, and its model would be in "
                              "another folder",
                              jobs[i].test->name);
    return true;
}

bool litmus_emit(const struct litmus_job *jobs, size_t n, const char *folder, struct diag *d)
{
    if (!folder && n != 1)
        return diag_error(d, jobs[0].test->source, (struct span){0},
                          "--emit=promela prints one test under one model; these are %zu: name "
                          "a folder for them with -o DIR",
                          n);
    if (!folder)
        return emit_job(jobs, NULL, d->arena, d);
    if (!names_are_files(jobs, n, d) || !names_differ(jobs, n, d) || !output_folder(folder, d))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct arena scratch = {0};
        const char *path = arena_printf(d->arena, "%s/%s.%s.pml", folder, jobs[i].test->name,
                                        jobs[i].contract->name);
        bool ok = emit_job(&jobs[i], path, &scratch, d);
        arena_free(&scratch);
        if (!ok)
            return false;
    }
    return true;
}
