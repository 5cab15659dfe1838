"""Operations on memories that are there: each plans, and `changing` commits."""
