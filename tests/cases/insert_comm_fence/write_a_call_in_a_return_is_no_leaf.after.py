return self.helper(win_a)
