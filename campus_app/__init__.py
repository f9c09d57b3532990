"""Campus food ordering: browse, order, pay a part online, be told."""
