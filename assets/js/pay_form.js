// Submits the form to the payment provider's checkout, once: whoever comes back is not sent on again.

if (!history.state?.isStarted) {
  history.replaceState({ isStarted: true }, "");
  document.getElementById("checkout").submit();
}
