/* SPDX-License-Identifier: MIT */
#include "base/stop.h"

#include <signal.h>
#include <unistd.h>

#include "base/clock.h"

atomic_int stop_flag = STOPPED_NOT;

enum { EXIT_OF_SIGNAL = 128 };

/* Seconds from the first signal in which another is the same wish: timeout(1) signals a process and
 * then its group. */
#define ONE_WISH 1.0
static volatile double wished;

static void on_signal(int number)
{
    int none = STOPPED_NOT, cause = number == SIGINT    ? STOPPED_INTERRUPT
                                    : number == SIGTERM ? STOPPED_TERMINATE
                                                        : STOPPED_TIME;
    double now = clock_seconds();
    if (atomic_compare_exchange_strong(&stop_flag, &none, cause)) {
        wished = now;
    } else if (number != SIGALRM && now - wished > ONE_WISH) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void handle(int number)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void stop_on_signals(void)
{
    handle(SIGINT);
    handle(SIGTERM);
}

void stop_after(unsigned seconds)
{
    handle(SIGALRM);
    alarm(seconds);
}

int stop_exit_code(enum stop_cause c, int limit)
{
    return c == STOPPED_INTERRUPT   ? EXIT_OF_SIGNAL + SIGINT
           : c == STOPPED_TERMINATE ? EXIT_OF_SIGNAL + SIGTERM
                                    : limit;
}
