/*
 * B under the contract a2a3, toolchain ptoas-0.57.
 * gm_x_at1 is x in rank 1's memory, P0_x_at1 the copy in P0's cache.
 */

mtype = { line_x_at1, put_s_at1 };

byte gm_x_at1;
byte gm_y_at1;
byte gm_s_at1;

chan P0_scalar_to1 = [1] of { mtype, byte, byte };
chan P0_dma_to1 = [1] of { mtype, byte };
hidden byte v0;
hidden byte v1;

/* Every core has ended, pipes and fabric are empty. */
#define AT_END (true && P0_ended && P0_mte3_queue == 0 && P1_ended && len(P0_scalar_to1) == 0 && len(P0_dma_to1) == 0)

/* ---- core 0 of rank 0 ---- */

bool P0_ended;
byte P0_mte3_queue;
byte P0_x_at1_flying;
bool P0_x_at1_valid;
bool P0_x_at1_dirty;
byte P0_x_at1;
byte P0_y_at1;
inline P0_x_at1_have() {
    if
    :: !P0_x_at1_valid ->
       P0_x_at1 = gm_x_at1;
       P0_y_at1 = gm_y_at1;
       P0_x_at1_valid = true;
    :: else
    fi
}
inline P0_x_at1_clean() {
    if
    :: P0_x_at1_dirty ->
       P0_scalar_to1!line_x_at1, P0_x_at1, P0_y_at1; P0_x_at1_flying++;
       P0_x_at1_dirty = false
    :: else
    fi;
    P0_x_at1 = 0;
    P0_y_at1 = 0;
    P0_x_at1_valid = false
}
byte P0_s_at1_dma_flying;

active proctype P0() {
    d_step {
        /* st x@1, 2 */
        (P0_x_at1_valid || P0_x_at1_flying == 0);
        P0_x_at1_have();
        P0_x_at1 = 2;
        P0_x_at1_dirty = true;
        /* dcci x@1 */
        P0_x_at1_clean();
    };
    d_step {
        /* dsb */
        (P0_x_at1_flying == 0) && (P0_s_at1_dma_flying == 0);
        /* mte3 s@1, 1 */
        P0_mte3_queue++;
        /* end */
        P0_ended = true;
    };
    false
}

active proctype P0_mte3() {
    d_step {
        /* mte3 s@1, 1 */
        (P0_mte3_queue > 0);
        P0_dma_to1!put_s_at1, 1; P0_s_at1_dma_flying++;
        P0_mte3_queue--;
    };
    false
}

/* ---- core 0 of rank 1 ---- */

bool P1_ended;

active proctype P1() {
    /* wait s >= 1: poll */
    d_step {
        /* wait s >= 1: poll */
        (gm_s_at1 >= 1);
        /* end */
        P1_ended = true;
    };
    false
}

/* The oldest message of a channel is applied to memory, and acknowledged. */
active proctype fabric() {
    do
    :: d_step { P0_scalar_to1?line_x_at1, gm_x_at1, gm_y_at1; P0_x_at1_flying-- }
    :: d_step { P0_dma_to1?put_s_at1, gm_s_at1; P0_s_at1_dma_flying-- }
    od
}

/* Final states, as litmus logs write them. */
active proctype observer() {
    do
    :: atomic { timeout;
        if
        :: gm_y_at1 == 0 -> printf("final *>")
        :: else -> printf("final :>")
        fi;
        printf("y@1=%d;", gm_y_at1);
        if
        :: AT_END -> printf("\n")
        :: else -> printf(" deadlock=1;\n")
        fi }
    od
}
