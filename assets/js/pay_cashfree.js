// Starts the checkout with Cashfree's script, once: after the back button this does nothing. If Cashfree's
// script did not load, or fails, this submits the form, as Cashfree's script would.

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
