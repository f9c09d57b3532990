// Submits the form to the payment provider's checkout, once: after the back button it does nothing.

if (!history.state?.isStarted) {
  history.replaceState({ isStarted: true }, "");
  document.getElementById("checkout").submit();
}
