# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
ROUNDS = 2
TOKENS = 4
DIM = 16


@pl.program
class ExpertDispatch:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[ROUNDS * TOKENS, DIM], pl.FP32],
        route: pl.Tensor[[ROUNDS, TOKENS], pl.INT32],
        counts: pl.InOut[pld.DistributedTensor[[NR, NR], pl.INT32]],
        recv: pl.InOut[pld.DistributedTensor[[NR * TOKENS, DIM], pl.FP32]],
        hidden: pl.InOut[pld.DistributedTensor[[NR * TOKENS, DIM], pl.FP32]],
        back: pl.InOut[pld.DistributedTensor[[NR * TOKENS, DIM], pl.FP32]],
        count_done: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        data_done: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        combine_done: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[ROUNDS * TOKENS, DIM], pl.FP32]],
        seen: pl.InOut[pl.Tensor[[ROUNDS, NR * TOKENS], pl.FP32]],
        combined: pl.InOut[pl.Tensor[[ROUNDS * TOKENS, 1], pl.FP32]],
    ) -> pl.Tensor[[ROUNDS * TOKENS, DIM], pl.FP32]:
        """Mixture of experts, one expert a rank: tokens go out to their experts and come back doubled.

        counts[s, d] on every rank is the number of tokens that rank s sends to rank d in this round;
        the sender adds the difference to the round before. A rank's own row stays 0: it knows those
        numbers. From counts every sender computes where its tokens start in the receiver's
        window. The barriers of a round also guard the buffers of the next one:

          count_done    all counts are here; and the peer has used up the last round's recv
          data_done     all tokens are here; and the peer has read the last round's back
          combine_done  all results are here; and the peer has read this round's counts

        In the second round the lines of counts, recv and back are in the cache from the first.
        """
        ctx = pld.system.get_comm_ctx(counts)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        stage = pl.tile.create([1, DIM], dtype=pl.FP32, target_memory=pl.Mem.Vec)

        for k in pl.range(ROUNDS):
            # Counts: tell every peer how many of this rank's tokens each expert gets.
            for d in pl.range(nranks):
                delta = 0
                for t in pl.range(TOKENS):
                    choice = pl.read(route, [k, t])
                    if choice % nranks == d:
                        delta = delta + 1
                    if k > 0:
                        earlier = pl.read(route, [k - 1, t])
                        if earlier % nranks == d:
                            delta = delta - 1
                for peer in pl.range(nranks):
                    if peer != me:
                        pld.system.notify(counts, peer, [me, d], delta, op=pld.NotifyOp.AtomicAdd)
            for peer in pl.range(nranks):
                if peer != me:
                    pld.system.notify(count_done, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
            for src in pl.range(nranks):
                if src != me:
                    pld.system.wait(count_done, [src, 0], k + 1, cmp=pld.WaitCmp.Ge)

            # Dispatch: tokens of one sender are contiguous at the receiver, senders in rank order.
            for d in pl.range(nranks):
                slot = 0
                for s in pl.range(me):
                    ahead = pl.read(counts, [s, d])
                    slot = slot + ahead
                for t in pl.range(TOKENS):
                    choice = pl.read(route, [k, t])
                    if choice % nranks == d:
                        pld.tile.put(
                            recv,
                            d,
                            x,
                            stage,
                            [slot, 0],
                            [k * TOKENS + t, 0],
                            [1, DIM],
                            atomic=pld.AtomicType.None_,
                        )
                        slot = slot + 1
            for peer in pl.range(nranks):
                if peer != me:
                    pld.system.notify(data_done, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
            for src in pl.range(nranks):
                if src != me:
                    pld.system.wait(data_done, [src, 0], k + 1, cmp=pld.WaitCmp.Ge)

            # Expert and combine: the j-th token from rank s returns to row me * TOKENS + j there.
            row = 0
            for s in pl.range(nranks):
                n = 0
                if s == me:
                    for t in pl.range(TOKENS):
                        choice = pl.read(route, [k, t])
                        if choice % nranks == me:
                            n = n + 1
                else:
                    arrived = pl.read(counts, [s, me])
                    n = n + arrived
                for j in pl.range(n):
                    word = pl.read(recv, [row, 0])
                    pl.write(seen, [k, row], word)
                    token = pl.load(recv, [row, 0], [1, DIM])
                    twice = pl.add(token, token)
                    pl.store(twice, [row, 0], hidden)
                    pld.tile.put(
                        back,
                        s,
                        hidden,
                        stage,
                        [me * TOKENS + j, 0],
                        [row, 0],
                        [1, DIM],
                        atomic=pld.AtomicType.None_,
                    )
                    row = row + 1
            for peer in pl.range(nranks):
                if peer != me:
                    pld.system.notify(combine_done, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
            for src in pl.range(nranks):
                if src != me:
                    pld.system.wait(combine_done, [src, 0], k + 1, cmp=pld.WaitCmp.Ge)

            # Results, back in token order.
            for d in pl.range(nranks):
                nth = 0
                for t in pl.range(TOKENS):
                    choice = pl.read(route, [k, t])
                    if choice % nranks == d:
                        word = pl.read(back, [d * TOKENS + nth, 0])
                        pl.write(combined, [k * TOKENS + t, 0], word)
                        result = pl.load(back, [d * TOKENS + nth, 0], [1, DIM])
                        out = pl.store(result, [k * TOKENS + t, 0], out)
                        nth = nth + 1

        # Every cell back to 0. Peers have sent their last count: combine_done of the last round says so.
        for src in pl.range(nranks):
            if src != me:
                for d in pl.range(nranks):
                    last = pl.read(counts, [src, d])
                    pld.system.notify(counts, me, [src, d], -last, op=pld.NotifyOp.AtomicAdd)
                pld.system.notify(count_done, me, [src, 0], -ROUNDS, op=pld.NotifyOp.AtomicAdd)
                pld.system.notify(data_done, me, [src, 0], -ROUNDS, op=pld.NotifyOp.AtomicAdd)
                pld.system.notify(combine_done, me, [src, 0], -ROUNDS, op=pld.NotifyOp.AtomicAdd)
        return out
