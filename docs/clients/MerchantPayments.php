<?php

declare(strict_types=1);

/** No success. Where $mayHaveHappened is true, a call with the same $idempotencyKey tells whether it was one. */
final class PaymentError extends RuntimeException
{
    /** @param array<string, mixed> $details */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly ?string $requestId,
        public readonly array $details,
        public readonly ?string $idempotencyKey,
        public readonly bool $mayHaveHappened,
    ) {
        parent::__construct("$errorCode ($status): $message");
    }
}

/** No delivery of the service, or an old one: answer 400, nothing of it counts. */
final class WebhookError extends RuntimeException
{
}

/** Signs calls of the merchant interface and verifies its webhooks. Copy this file: it needs PHP 8.2 alone. */
final class MerchantPayments
{
    private const ATTEMPTS_MAX = 3;

    /**
     * @param float $timeout how long the service may say nothing, in seconds
     * @param float $totalTimeout seconds after which nothing is sent again
     */
    public function __construct(
        private readonly string $url,
        private readonly string $key,
        #[SensitiveParameter] private readonly string $secret,
        private readonly float $timeout = 60,
        private readonly float $totalTimeout = 120,
    ) {
        if (!preg_match('~\Ahttps?://([A-Za-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]+)?\z~', $url)) {
            throw new InvalidArgumentException('url: expected is https://HOST or https://HOST:PORT, nothing behind it');
        }
        if (!preg_match('/\A[!-~]{1,128}\z/', $key) || !preg_match('/\A\S+\z/u', $secret)) {
            throw new InvalidArgumentException('key, secret: expected is each as it was issued, without white space');
        }
    }

    /**
     * The answer. What got no whole one, or "not now", is sent again, signed anew.
     *
     * @param string $target path and query as on the request line
     * @param array<string, mixed>|object|null $body becomes JSON; {} is `new stdClass()`, since [] is a list
     * @return array<string, mixed>
     */
    public function call(
        string $method,
        string $target,
        array|object|null $body = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->exchange($method, $target, $body, $idempotencyKey)[1];
    }

    /**
     * The answers of a list, page after page, from the target's page on; each is asked for when it is wanted.
     *
     * @return Generator<int, array<string, mixed>>
     */
    public function pages(string $target): Generator
    {
        do {
            [$told, $answer] = $this->exchange('GET', $target, null, null);
            yield $answer;
            $cursor = $told['x-next-cursor'] ?? '';
            [$path, $query] = explode('?', $target, 2) + [1 => ''];
            $pairs = preg_grep('/\A(cursor=|\z)/', explode('&', $query), PREG_GREP_INVERT);
            $target = "$path?" . implode('&', [...$pairs, 'cursor=' . rawurlencode($cursor)]);
        } while ($cursor !== '');
    }

    /**
     * @param array<string, mixed>|object|null $body
     * @return array{array<string, string>, array<string, mixed>} headers in lower case, and the answer
     */
    private function exchange(string $method, string $target, array|object|null $body, ?string $idempotencyKey): array
    {
        if ($method !== 'GET') {
            $idempotencyKey ??= bin2hex(random_bytes(16));
        }
        $content = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR); // what is signed and what is sent
        [$start, $counted, $wasUnclear] = [microtime(true), 0, false];
        for ($number = 1; ; $number++) {
            $headers = $this->sign($method, $target, $content, $idempotencyKey);
            [$status, $told, $answer] = $this->send($method, $target, $content, $headers);
            if ($status >= 200 && $status <= 299) {
                return [$told, $answer];
            }
            // What a proxy in front of the service says may be of any type.
            $code = is_string($answer['code'] ?? null) ? $answer['code'] : "http_$status";
            $after = $told['retry-after'] ?? '';
            $isUnclear = in_array($status, [0, 408, 425, 429], true)
                || $status >= 500
                || ($status === 409 && ($after !== '' || $code === 'idempotency_in_progress'))
                || ($status === 401 && $code === 'nonce_reused'); // something on the way sent it twice
            $wasUnclear = $wasUnclear || $isUnclear;
            $counted += $status === 409 ? 0 : 1; // 409: the first request of this key still runs
            $pause = self::pause($number, $after);
            $isLate = microtime(true) - $start + $pause > $this->totalTimeout;
            if (!$isUnclear || in_array($status, [501, 505], true) || $counted >= self::ATTEMPTS_MAX || $isLate) {
                break;
            }
            usleep((int) (1_000_000 * $pause));
        }
        $message = is_string($answer['message'] ?? null) ? $answer['message'] : 'no answer of the service itself';
        $details = is_array($answer['details'] ?? null) ? $answer['details'] : [];
        $about = [$told['x-request-id'] ?? null, $details, $idempotencyKey, $wasUnclear && $method !== 'GET'];
        throw new PaymentError($status, $code, $message, ...$about);
    }

    /** Seconds before the next sending; $after: Retry-After, of which more than half a minute is too long. */
    private static function pause(int $number, string $after): float
    {
        $date = preg_match('/\A[A-Z][a-z]{2}, .* GMT\z/', $after) ? strtotime($after) : false;
        if (preg_match('/\A[0-9]+\z/', $after)) {
            $asked = (int) substr($after, 0, 9);
        } elseif ($date === false) {
            return min(30, random_int(125, 250) / 1000 * 2 ** $number);
        } else {
            $asked = max(0, $date - microtime(true));
        }
        return $asked > 30 ? INF : $asked + random_int(0, 999) / 1000;
    }

    /**
     * The headers of one request. Each attempt needs new ones: a nonce is taken once.
     *
     * @return array<string, string>
     */
    public function sign(
        string $method,
        string $target,
        string $body,
        ?string $idempotencyKey,
        ?string $timestamp = null,
        ?string $nonce = null,
    ): array {
        if (!preg_match('~\A(GET|POST|PUT) /[!"$-\~]*\z~', "$method $target")) {
            throw new InvalidArgumentException('expected is GET, POST or PUT and a percent-encoded target, / first');
        }
        if (!preg_match('/\A[!-~]{1,128}\z/', $idempotencyKey ?? '-')) {
            throw new InvalidArgumentException('Idempotency-Key: expected are 1 to 128 visible ASCII characters');
        }
        [$path, $query] = explode('?', $target, 2) + [1 => ''];
        $timestamp ??= (string) time();
        $nonce ??= bin2hex(random_bytes(16));
        $lines = ['CPS1-HMAC-SHA256', $this->key, $timestamp, $nonce, $method, $path, self::canonicalQuery($query)];
        $text = implode("\n", [...$lines, $idempotencyKey ?? '', hash('sha256', $body)]);
        $signature = hash_hmac('sha256', $text, $this->secret);
        $headers = ['X-Api-Key' => $this->key, 'X-Timestamp' => $timestamp, 'X-Nonce' => $nonce];
        $headers['X-Signature'] = $signature;
        return $idempotencyKey === null ? $headers : $headers + ['Idempotency-Key' => $idempotencyKey];
    }

    /** Decoded, encoded again, sorted by name and value. */
    public static function canonicalQuery(string $query): string
    {
        $pairs = [];
        foreach (array_filter(explode('&', $query), static fn ($pair) => $pair !== '') as $pair) {
            $plain = array_map('urldecode', explode('=', $pair, 2) + [1 => '']);
            if (preg_match('/%(?![0-9A-Fa-f]{2})/', $pair) || !preg_match('//u', implode('=', $plain))) {
                throw new InvalidArgumentException('query: expected is percent-encoded UTF-8');
            }
            $pairs[] = implode("\0", array_map('rawurlencode', $plain)); // a byte before all others: names come first
        }
        sort($pairs, SORT_STRING);
        return strtr(implode('&', $pairs), "\0", '=');
    }

    /**
     * The event of a delivery. It may come twice: of an id that was handled nothing is to be done.
     *
     * @param string $body the bytes as they came: file_get_contents('php://input')
     * @param array<string, string> $headers as getallheaders() gives them
     * @param string ...$secrets of the endpoint; after a rotation the new and the old
     * @return array<string, mixed>
     */
    public static function verifyWebhook(string $body, array $headers, #[SensitiveParameter] string ...$secrets): array
    {
        $keys = [];
        foreach ($secrets as $secret) {
            $keys[] = str_starts_with($secret, 'whsec_') ? (string) base64_decode(substr($secret, 6), true) : '';
        }
        if ($keys === [] || in_array('', $keys, true)) {
            throw new InvalidArgumentException('a webhook secret is whsec_ and base64 behind it');
        }
        $headers = array_change_key_case($headers);
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        if (!preg_match('/\A[0-9]{1,15}\z/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
            throw new WebhookError('webhook-timestamp: expected are unix seconds, at most 300 from now');
        }
        $isRight = false;
        foreach ($keys as $key) {
            $right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', $headers['webhook-signature'] ?? '') as $one) {
                $isRight = hash_equals($right, $one) || $isRight;
            }
        }
        if (!$isRight || $id === '') {
            throw new WebhookError('webhook-signature: made with none of the secrets');
        }
        return self::objectIn($body) ?? throw new WebhookError('the body is no JSON object');
    }

    /**
     * @param array<string, string> $headers
     * @return array{int, array<string, string>, array<string, mixed>} status, headers in lower case, content
     */
    private function send(string $method, string $target, string $content, array $headers): array
    {
        $lines = ['Content-Type: application/json', 'Connection: close'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        // Certificates are verified. A redirect is not followed: its target is not signed.
        $http = ['method' => $method, 'header' => $lines, 'content' => $content, 'timeout' => $this->timeout];
        $context = stream_context_create(['http' => $http + ['follow_location' => 0, 'ignore_errors' => true]]);
        $warnings = [];
        set_error_handler(static function (int $level, string $message) use (&$warnings): bool {
            $warnings[] = $message;
            return true;
        });
        try {
            $stream = fopen($this->url . $target, 'rb', false, $context);
            $text = $stream === false ? '' : (string) stream_get_contents($stream);
        } finally {
            restore_error_handler();
        }
        if ($stream === false) {
            return [0, [], ['code' => 'no_answer', 'message' => implode('; ', $warnings)]];
        }
        $status = 0;
        $told = [];
        foreach (stream_get_meta_data($stream)['wrapper_data'] as $line) {
            if (preg_match('~\AHTTP/\S+ ([0-9]{3})~', $line, $found)) {
                [$status, $told] = [(int) $found[1], []];
            } else {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $told[strtolower($name)] = trim($value);
            }
        }
        fclose($stream);
        $answer = self::objectIn($text);
        // What breaks off is no error to PHP.
        $isWhole = strlen($text) === (int) ($told['content-length'] ?? strlen($text));
        if (!$isWhole || ($answer === null && $status >= 200 && $status <= 299)) {
            return [0, [], ['code' => 'no_answer', 'message' => 'the answer broke off, or is no JSON object']];
        }
        return [$status, $told, $answer ?? []];
    }

    /** @return array<string, mixed>|null */
    private static function objectIn(string $text): ?array
    {
        $value = json_decode($text, true);
        return is_array($value) && str_starts_with(ltrim($text), '{') ? $value : null;
    }
}
