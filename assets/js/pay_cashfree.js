// Starts Cashfree's checkout by its script, once: after the back button it does nothing. If the script
// did not load, or fails, this submits the form, as the script itself does.

const form = document.getElementById("checkout");

async function start() {
  const { Cashfree } = window;
  if (!Cashfree) {
    form.submit();
    return;
  }
  try {
    const result = await Cashfree({ mode: form.dataset.mode }).checkout({
      paymentSessionId: form.elements.payment_session_id.value,
      redirectTarget: "_self",
    });
    if (result?.error) form.submit();
  } catch {
    form.submit();
  }
}

if (!history.state?.isStarted) {
  history.replaceState({ isStarted: true }, "");
  start();
}
