"""Your own reactions to the events of orders, for developers who extend the product.

README.md, 'React to paid and ready orders', has an example.
"""

from typing import Final

from campus_app.notifications.services.order_events import OrderEvents

ORDER_EVENTS: Final = OrderEvents()
"""The registered reactions. They are fixed when the services are built."""
