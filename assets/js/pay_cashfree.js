// Starts Cashfree's checkout by its script, once: whoever comes back is not sent on again. Where the
// script did not come, or fails, the form is submitted, which is what the script does too.

const form = document.getElementById("checkout");

async function start() {
  const { Cashfree } = window;
  if (!Cashfree) {
    form.submit();
    return;
  }
  try {
    const answer = await Cashfree({ mode: form.dataset.mode }).checkout({
      paymentSessionId: form.elements.payment_session_id.value,
      redirectTarget: "_self",
    });
    if (answer?.error) form.submit();
  } catch {
    form.submit();
  }
}

if (!history.state?.isStarted) {
  history.replaceState({ isStarted: true }, "");
  start();
}
