"""K. W. Chin's thesis on animating the human figure: a closed form for the arm, and iterative methods beside it."""
