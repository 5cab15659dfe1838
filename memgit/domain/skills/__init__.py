"""Skills: procedures that sessions repeat, counted; drafts of them, gated; promoted by a person."""
