"""Many runs, one answer: the sweep, the candidates, the choice."""
