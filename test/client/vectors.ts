// The two published vectors of a signature; the contract's description shows them too.

export const vectorKey = "mk_test_0123456789abcdef";
export const vectorSecret = "sk_test_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";

export const vectors = [
  {
    name: "POST",
    method: "POST",
    path: "/v1/payments",
    query: "",
    timestamp: "1767225600",
    nonce: "n-8f14e45fceea167a5a36dedd4bea2543",
    idempotencyKey: "order-A-1001",
    body: '{"merchant_order_no":"A-1001","quotes":{"cur_usdc":{"amount":"25.00"}}}',
    signature: "cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d",
  },
  {
    name: "GET",
    method: "GET",
    path: "/v1/payout-schedules",
    query: "currency_id=cur_usdc&limit=20&status=active",
    timestamp: "1767225600",
    nonce: "n-c9f0f895fb98ab9159f51fd0297e236d",
    idempotencyKey: undefined,
    body: undefined,
    signature: "e7cf38b3589ae2d4f5d1d013d546a3159fc5e9eeee3a8c343f6d2e6c94869a24",
  },
] as const;
