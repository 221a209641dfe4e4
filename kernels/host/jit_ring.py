# SPDX-License-Identifier: MIT
"""Each rank pushes its row to the right, in the form in which programs are written for `pl.jit`."""
import argparse

import torch

import pypto.language as pl
import pypto.language.distributed as pld

N_RANKS = 2
SIZE = 16
DTYPE = torch.float32


@pl.jit.incore
def push(
    x: pl.Tensor[[1, SIZE], pl.FP32],
    win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],
    sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
    y: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
):
    """Push, signal, wait, and copy what has come from the left."""
    ctx = pld.system.get_comm_ctx(win)
    me = pld.system.rank(ctx)
    right = (me + 1) % pld.system.nranks(ctx)
    t = pl.load(x, [0, 0], [1, SIZE])
    pld.tile.remote_store(pl.add(t, 1.0), win, right, [0, 0])
    pld.system.notify(sig, right, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
    pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)
    y = pl.store(pl.load(win, [0, 0], [1, SIZE]), [0, 0], y)
    return y


@pl.jit
def ring(
    x: pl.Tensor[[1, SIZE], pl.FP32],
    win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],
    sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
    y: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
):
    y = push(x, win, sig, y)
    return y


@pl.jit.host
def host(x: pl.Tensor[[N_RANKS, 1, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[N_RANKS, 1, SIZE], pl.FP32]]):
    data = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
    ready = pld.alloc_window_buffer([1, 1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        win = pld.window(data, [1, SIZE], dtype=pl.FP32)
        sig = pld.window(ready, [1, 1], dtype=pl.INT32)
        ring(x[r], win, sig, y[r], device=r)
    return y


def golden(x: torch.Tensor) -> torch.Tensor:
    return torch.roll(x, 1, dims=0) + 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    torch.manual_seed(parser.parse_args().seed)
    x = torch.randn(N_RANKS, 1, SIZE, dtype=DTYPE)
    y = torch.zeros_like(x)
    host(x, y)
    assert torch.allclose(y, golden(x)), f"{y!r} is not {golden(x)!r}"
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
