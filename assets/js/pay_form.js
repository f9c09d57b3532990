// Submits the form to the payment provider's checkout, once: whoever comes back is not sent on again.

const [arrival] = performance.getEntriesByType("navigation");
if (arrival?.type !== "back_forward") document.getElementById("checkout").submit();
