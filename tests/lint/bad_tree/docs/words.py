told = 1  # all of a line counts here
