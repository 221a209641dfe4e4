/* SPDX-License-Identifier: MIT */
#include "bench/plot/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Standard input, output and error of gnuplot: files without a name, so that a killed run leaves
 * none. */
struct streams {
    FILE *in, *out, *err;
};

static void close_stream(FILE *f)
{
    if (f)
        fclose(f);
}

static bool open_streams(struct streams *s, const char *script, struct diag *d)
{
    *s = (struct streams){tmpfile(), tmpfile(), tmpfile()};
    if (s->in && s->out && s->err && fputs(script, s->in) != EOF && fflush(s->in) == 0 &&
        lseek(fileno(s->in), 0, SEEK_SET) == 0)
        return true;
    return diag_error(d, NULL, (struct span){0}, "cannot make a temporary file for gnuplot: %s",
                      strerror(errno));
}

/* The wait status of gnuplot, or -1 when it could not be started. */
static int spawn(const struct streams *s, struct diag *d)
{
    char *argv[] = {"gnuplot", "--default-settings", "-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(s->in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(s->out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(s->err), STDERR_FILENO);
    int error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        diag_error(d, NULL, (struct span){0},
                   "cannot run gnuplot: %s; plots need the package gnuplot-nox", strerror(error));
    else
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    return status;
}

/* The last line of gnuplot's complaint: the one that says what is wrong. */
static const char *complaint(struct arena *a, FILE *err)
{
    char line[512];
    const char *last = "no message";
    rewind(err);
    while (fgets(line, sizeof line, err)) {
        size_t n = strcspn(line, "\n"), blank = strspn(line, " \t");
        if (n > blank)
            last = arena_strndup(a, line + blank, n - blank);
    }
    return last;
}

FILE *gnuplot_run(const char *script, struct diag *d)
{
    struct streams s;
    FILE *picture = NULL;
    if (open_streams(&s, script, d)) {
        int status = spawn(&s, d);
        if (status != 0)
            diag_error(d, NULL, (struct span){0}, "gnuplot failed: %s", complaint(d->arena, s.err));
        else if (lseek(fileno(s.out), 0, SEEK_END) <= 0)
            diag_error(d, NULL, (struct span){0}, "gnuplot drew nothing: %s",
                       complaint(d->arena, s.err));
        else
            picture = s.out;
    }
    close_stream(s.in);
    close_stream(s.err);
    if (picture)
        rewind(picture);
    else
        close_stream(s.out);
    return picture;
}
