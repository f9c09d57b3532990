// Submits the form to the payment provider's checkout, but not again after the back button.
if (!history.state?.isStarted) {
  history.replaceState({ isStarted: true }, "");
  document.getElementById("checkout").submit();
}
