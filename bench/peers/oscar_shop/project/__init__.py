"""The django-oscar shop of the comparison; it runs in oscar's own environment."""
