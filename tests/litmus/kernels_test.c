/* SPDX-License-Identifier: MIT */
/* What must be found in the kernels that come with the bench, and what must not. */
#include <pthread.h>

#include "tests/litmus/trial.h"
#include "tests/support.h"

int main(void);
