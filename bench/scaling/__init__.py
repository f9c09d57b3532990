"""What the deployment needs for more visitors than this machine can have: a model, checked here."""
