/*
 * A under the contract sc, toolchain ptoas-0.57.
 * gm_x_at1 is x in rank 1's memory, P0_x_at1 the copy in P0's cache.
 */

byte gm_x_at0 = 5;

/* Every core has ended, pipes and fabric are empty. */
#define AT_END (true && P0_ended)

/* ---- core 0 of rank 0 ---- */

bool P0_ended;
byte P0_r0;

active proctype P0() {
    d_step {
        /* st x, 1 */
        gm_x_at0 = 1;
    };
    d_step {
        /* ld r0, x */
        P0_r0 = gm_x_at0;
        /* end */
        P0_ended = true;
    };
    false
}

/* Final states, as litmus logs write them. */
active proctype observer() {
    do
    :: atomic { timeout;
        if
        :: P0_r0 == 1 -> printf("final *>")
        :: else -> printf("final :>")
        fi;
        printf("0:r0=%d;", P0_r0);
        if
        :: AT_END -> printf("\n")
        :: else -> printf(" deadlock=1;\n")
        fi }
    od
}
