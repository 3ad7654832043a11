"""Does what the lines of a file ask of the helper, each a JSON object, and prints what came of each."""
import base64
import http.client
import json
import sys

import merchant_payments as helper


def answer(asked):
    op = asked["op"]
    if op == "query":
        return helper.canonical_query(asked["query"])
    if op == "sign":
        given = [asked[name] for name in ("key", "secret", "method", "target")]
        names = {"idempotency_key": "idempotencyKey", "timestamp": "timestamp", "nonce": "nonce"}
        rest = {name: asked.get(key) for name, key in names.items()}
        return helper.sign(*given, body=base64.b64decode(asked["body"]), **rest)
    if op == "verify":
        headers = http.client.HTTPMessage()
        for name, value in asked["headers"]:
            headers.add_header(name, value)
        return helper.verify_webhook(base64.b64decode(asked["body"]), headers, *asked["secrets"])
    client = helper.Client(asked["url"], asked["key"], asked["secret"], timeout=asked["timeout"], total_timeout=asked.get("total", 120))
    if op == "pages":
        return list(client.pages(asked["target"]))
    return client.call(asked["method"], asked["target"], asked.get("body"), asked.get("idempotencyKey"))


def outcome(asked):
    try:
        return {"ok": answer(asked)}
    except helper.PaymentError as error:
        names = {"status": "status", "code": "code", "message": "message", "requestId": "request_id", "details": "details"}
        names = {**names, "idempotencyKey": "idempotency_key", "mayHaveHappened": "may_have_happened"}
        return {"error": "payment", **{name: getattr(error, key) for name, key in names.items()}}
    except helper.WebhookError as error:
        return {"error": "webhook", "message": str(error)}
    except ValueError as error:
        return {"error": "mistake", "message": str(error)}


with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        print(json.dumps(outcome(json.loads(line))))
