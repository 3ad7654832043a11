"""Signs calls of the merchant interface and verifies its webhooks. Copy this file: it needs Python 3 alone.

    pay = Client("https://pay.example", key, secret)
    payment = pay.call("POST", "/v1/payments", {...}, idempotency_key="order-A-1001")
    event = verify_webhook(body, headers, webhook_secret)
"""
import base64
import hashlib
import hmac
import http.client
import http.cookiejar
import json
import math
import random
import re
import secrets
import time
from urllib.parse import quote, unquote_plus


class PaymentError(Exception):
    """No success. Where may_have_happened is True, a call with the same idempotency_key tells whether it was one."""

    def __init__(self, status, code, message, request_id, details, idempotency_key, may_have_happened):
        super().__init__(f"{code} ({status}): {message}")
        self.status, self.code, self.message = status, code, message
        self.request_id, self.details = request_id, details if isinstance(details, dict) else {}
        self.idempotency_key, self.may_have_happened = idempotency_key, may_have_happened


class WebhookError(Exception):
    """No delivery of the service, or an old one: answer 400, nothing of it counts."""


class Client:
    """timeout: how long the service may say nothing; total_timeout: after it nothing is sent again; both in seconds."""

    def __init__(self, url, key, secret, timeout=60, attempts=3, total_timeout=120):
        scheme, _, self._host = url.partition("://")
        if not re.fullmatch(r"https?://([A-Za-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]+)?", url):
            raise ValueError("url: expected is https://HOST or https://HOST:PORT, and nothing behind it")
        if not re.fullmatch("[!-~]{1,128}", key) or not re.fullmatch(r"\S+", secret):
            raise ValueError("key, secret: expected is each as it was issued, without white space")
        # Both verify certificates where there is TLS, and follow no redirect: its target is not signed.
        self._connect = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        self._key, self._secret, self._timeout = key, secret, timeout
        self._attempts, self._total = attempts, total_timeout

    def call(self, method, target, body=None, idempotency_key=None):
        """The answer; target: path and query as on the request line; body: becomes JSON."""
        return self._call(method, target, body, idempotency_key)[1]

    def pages(self, target):
        """The answers of a list, page after page, from the target's page on; each is asked for when it is wanted."""
        while target:
            told, answer = self._call("GET", target)
            yield answer
            cursor, (path, _, query) = told.get("X-Next-Cursor"), target.partition("?")
            pairs = [pair for pair in query.split("&") if pair and not pair.startswith("cursor=")]
            target = cursor and f"{path}?{'&'.join([*pairs, f'cursor={quote(cursor)}'])}"

    def _call(self, method, target, body=None, idempotency_key=None):
        """The headers of the answer, and the answer."""
        if idempotency_key is None and method != "GET":
            idempotency_key = secrets.token_hex(16)
        content = None if body is None else json.dumps(body).encode()  # what is signed and what is sent
        start, number, counted, was_unclear = time.monotonic(), 0, 0, False
        while True:
            headers = sign(self._key, self._secret, method, target, content or b"", idempotency_key)
            status, told, answer = self._send(method, target, content, headers)
            if 200 <= status < 300:
                return told, answer
            texts = {name: value for name, value in answer.items() if isinstance(value, str)}
            code, after = texts.get("code", f"http_{status}"), told.get("Retry-After", "")
            is_unclear = (
                status in (0, 408, 425, 429)
                or status >= 500
                or (status == 409 and (after != "" or code == "idempotency_in_progress"))
                or (status == 401 and code == "nonce_reused")  # something on the way sent it twice
            )
            was_unclear = was_unclear or is_unclear
            number, counted = number + 1, counted + (status != 409)  # 409: the first request of this key still runs
            pause = _pause(number, after)
            is_late = time.monotonic() - start + pause > self._total
            if not is_unclear or status in (501, 505) or counted >= self._attempts or is_late:
                break
            time.sleep(pause)
        message, may_have_happened = texts.get("message", "no answer of the service itself"), was_unclear and method != "GET"
        about = (told.get("X-Request-Id"), answer.get("details"), idempotency_key, may_have_happened)
        raise PaymentError(status, code, message, *about)

    def _send(self, method, target, content, headers):
        connection = self._connect(self._host, timeout=self._timeout)
        try:
            connection.request(method, target, content, {**headers, "Content-Type": "application/json"})
            response = connection.getresponse()
            answer = _object(response.read())
        except (OSError, http.client.HTTPException) as error:
            return 0, {}, {"code": "no_answer", "message": repr(error)}
        finally:
            connection.close()
        if answer is None and 200 <= response.status < 300:
            return 0, {}, {"code": "no_answer", "message": "what came is no JSON object"}
        return response.status, response.headers, answer or {}


def _pause(number, after):
    """Seconds before the next sending; after: Retry-After, of which more than half a minute is too long."""
    if re.fullmatch("[0-9]+", after):
        asked = int(after[:9])
    elif date := re.match("[A-Z][a-z]{2}, ", after) and http.cookiejar.http2time(after):
        asked = max(0, date - time.time())
    else:
        return min(30, random.uniform(0.125, 0.25) * 2**number)
    return math.inf if asked > 30 else asked + random.random()


def sign(key, secret, method, target, body=b"", idempotency_key=None, timestamp=None, nonce=None):
    """The headers of one request. Each attempt needs new ones: a nonce is taken once."""
    if not re.fullmatch(r"(GET|POST|PUT) /[!\"$-~]*", f"{method} {target}"):
        raise ValueError("expected is GET, POST or PUT, and a target that begins with / and is percent-encoded")
    for text in (key, "-" if idempotency_key is None else idempotency_key):
        if not re.fullmatch("[!-~]{1,128}", text):
            raise ValueError("API key and Idempotency-Key: expected are 1 to 128 visible ASCII characters")
    path, _, query = target.partition("?")
    timestamp, nonce = timestamp or str(int(time.time())), nonce or secrets.token_hex(16)
    lines = ["CPS1-HMAC-SHA256", key, timestamp, nonce, method, path, canonical_query(query), idempotency_key or ""]
    text = "\n".join([*lines, hashlib.sha256(body).hexdigest()])
    signature = hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()
    headers = {"X-Api-Key": key, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature}
    return headers if idempotency_key is None else {**headers, "Idempotency-Key": idempotency_key}


def canonical_query(query):
    """Decoded, encoded again, sorted by name and value."""
    if re.search("%(?![0-9A-Fa-f]{2})", query):
        raise ValueError("query: behind a % two hexadecimal digits are expected")
    pairs = [pair.partition("=")[::2] for pair in query.split("&") if pair]
    encoded = [[quote(unquote_plus(part, errors="strict"), safe="") for part in pair] for pair in pairs]
    return "&".join("=".join(pair) for pair in sorted(encoded))


def verify_webhook(body, headers, *webhook_secrets):
    """The event of a delivery; body: the bytes as they came; webhook_secrets: after a rotation the new and the old.

    A delivery may come twice: of an event["id"] that was handled nothing is to be done.
    """
    keys = [base64.b64decode(one[6:], validate=True) for one in webhook_secrets if one.startswith("whsec_")]
    if len(keys) != len(webhook_secrets) or not all(keys) or not keys:
        raise ValueError("a webhook secret is whsec_ and base64 behind it")
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    found = sorted((name.lower(), value) for name, value in headers.items() if name.lower() in names)
    if [name for name, _ in found] != sorted(names):
        raise WebhookError(f"each once is expected: {', '.join(names)}")
    (_, delivery), (_, signatures), (_, timestamp) = found
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        raise WebhookError("webhook-timestamp: expected are unix seconds, at most 300 from now")
    signed = f"{delivery}.{timestamp}.".encode(errors="replace") + body
    right = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    given = signatures.encode(errors="replace").split(b" ")
    if not any([hmac.compare_digest(one, other) for one in given for other in right]):  # a list: all are compared
        raise WebhookError("webhook-signature: made with none of the secrets")
    event = _object(body)
    if event is None:
        raise WebhookError("the body is no JSON object")
    return event


def _object(text):
    try:
        value = json.loads(text)
    except ValueError:  # what a proxy in front of the service says, or what broke off
        return None
    return value if isinstance(value, dict) else None
