// The order that this tab is about, by what the browser has: needed while the server does not answer.

const NUMBER = /^AS_\d{3,5}$/;

function stored(key) {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

// By the address, or by the order that the tab went to pay.
function orderNumber() {
  const named = new URLSearchParams(location.search).get("order_id") ?? "";
  return [named, stored("currentOrderId")].find((number) => NUMBER.test(number)) ?? "";
}

// The address of the confirmation of a payment that could not be verified: the order's number, and the
// token of the address to which the payment page sent the browser back.
export function unverifiedAddress(path) {
  const [, token] = location.pathname.match(/^\/forms\/response\/([\w-]{20,})/) ?? [];
  const query = new URLSearchParams({ order_id: orderNumber(), hasError: "true" });
  if (token) query.set("token", token);
  return `${path}?${query}`;
}

export function OrderNumber({ words, ...rest }) {
  const number = orderNumber();
  return <span {...rest}>{number ? `ORDER_ID: #${number}` : words}</span>;
}
