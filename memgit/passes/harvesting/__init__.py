"""Parts of the harvest: what a model is shown and asked, what the store knows, what is proposed."""
