// The number of the order of this tab, from the browser's own data: the server may be unreachable.

const NUMBER = /^AS_\d{3,5}$/;

// From the address, or from the order that this tab opened the payment page for.
function orderNumber() {
  const named = new URLSearchParams(location.search).get("order_id");
  return [named, sessionStorage.getItem("currentOrderId")].find((number) => NUMBER.test(number)) ?? "";
}

// The address of the confirmation screen for a payment that could not be verified, with the order's
// number and the response token of this page's address.
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
