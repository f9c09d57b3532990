"""Components without a state: values and event handlers are arguments."""
