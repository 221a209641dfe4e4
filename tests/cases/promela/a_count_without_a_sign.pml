/*
 * B under the contract a2a3, toolchain ptoas-0.57.
 * gm_x_at1 is x in rank 1's memory, P0_x_at1 the copy in P0's cache.
 */

mtype = { line_s_at1 };

short gm_s_at1;
short gm_x_at1;

chan P0_scalar_to1 = [1] of { mtype, short };
hidden short v0;

/* Every core has ended, pipes and fabric are empty. */
#define AT_END (true && P0_ended && P1_ended && len(P0_scalar_to1) == 0)

/* ---- core 0 of rank 0 ---- */

bool P0_ended;
byte P0_s_at1_flying;
bool P0_s_at1_valid;
bool P0_s_at1_dirty;
short P0_s_at1;
inline P0_s_at1_have() {
    if
    :: !P0_s_at1_valid ->
       P0_s_at1 = gm_s_at1;
       P0_s_at1_valid = true;
    :: else
    fi
}
inline P0_s_at1_clean() {
    if
    :: P0_s_at1_dirty ->
       P0_scalar_to1!line_s_at1, P0_s_at1; P0_s_at1_flying++;
       P0_s_at1_dirty = false
    :: else
    fi;
    P0_s_at1 = 0;
    P0_s_at1_valid = false
}

active proctype P0() {
    d_step {
        /* st s@1, -1 */
        (P0_s_at1_valid || P0_s_at1_flying == 0);
        P0_s_at1_have();
        P0_s_at1 = -1;
        P0_s_at1_dirty = true;
        /* dcci s@1 */
        P0_s_at1_clean();
        /* end */
        P0_ended = true;
    };
    false
}

/* ---- core 0 of rank 1 ---- */

bool P1_ended;
short P1_r0;
bool P1_x_at1_valid;
short P1_x_at1;
inline P1_x_at1_have() {
    if
    :: !P1_x_at1_valid ->
       P1_x_at1 = gm_x_at1;
       P1_x_at1_valid = true;
    :: else
    fi
}
inline P1_x_at1_clean() {
    P1_x_at1 = 0;
    P1_x_at1_valid = false
}

active proctype P1() {
    d_step {
        /* wait.dev s u>= 2: poll.dev */
        (((gm_s_at1 < 0 && 2 >= 0) || ((gm_s_at1 < 0) == (2 < 0) && gm_s_at1 >= 2)));
    };
    d_step {
        /* ld r0, x */
        P1_x_at1_have();
        P1_r0 = P1_x_at1;
        /* end */
        P1_ended = true;
    };
    false
}

/* The oldest message of a channel is applied to memory, and acknowledged. */
active proctype fabric() {
    do
    :: d_step { P0_scalar_to1?line_s_at1, gm_s_at1; P0_s_at1_flying-- }
    od
}

/* Final states, as litmus logs write them. */
active proctype observer() {
    do
    :: atomic { timeout;
        if
        :: P1_r0 == 0 -> printf("final *>")
        :: else -> printf("final :>")
        fi;
        printf("1:r0=%d;", P1_r0);
        if
        :: AT_END -> printf("\n")
        :: else -> printf(" deadlock=1;\n")
        fi }
    od
}
