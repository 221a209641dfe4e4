poll.dev [r3(sig) + 4] of sig u>= 0
