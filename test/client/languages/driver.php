<?php

// Does what the lines of a file ask of the helper, each a JSON object, and prints what came of each.

declare(strict_types=1);

require __DIR__ . '/MerchantPayments.php';

set_error_handler(static function (int $level, string $message): bool {
    // What the helper has silenced is none of our business.
    return (error_reporting() & $level) === 0 ? true : throw new ErrorException($message);
});

function answer(array $asked): array|string
{
    if ($asked['op'] === 'query') {
        return MerchantPayments::canonicalQuery($asked['query']);
    }
    if ($asked['op'] === 'verify') {
        $headers = [];
        foreach ($asked['headers'] as [$name, $value]) {
            // As PHP's server joins what comes twice.
            $headers[$name] = isset($headers[$name]) ? "$headers[$name], $value" : $value;
        }
        return MerchantPayments::verifyWebhook(base64_decode($asked['body']), $headers, ...$asked['secrets']);
    }
    $url = $asked['url'] ?? 'https://pay.example';
    $pay = new MerchantPayments($url, $asked['key'], $asked['secret'], (float) ($asked['timeout'] ?? 60), $asked['total'] ?? 120);
    [$method, $target, $key] = [$asked['method'], $asked['target'], $asked['idempotencyKey'] ?? null];
    if ($asked['op'] === 'sign') {
        return $pay->sign($method, $target, base64_decode($asked['body']), $key, $asked['timestamp'], $asked['nonce']);
    }
    if ($asked['op'] === 'pages') {
        return iterator_to_array($pay->pages($target));
    }
    return $pay->call($method, $target, $asked['body'] ?? null, $key);
}

function outcome(array $asked): array
{
    try {
        return ['ok' => answer($asked)];
    } catch (PaymentError $error) {
        $happened = ['idempotencyKey' => $error->idempotencyKey, 'mayHaveHappened' => $error->mayHaveHappened];
        $said = $happened + ['code' => $error->errorCode, 'message' => $error->getMessage(), 'status' => $error->status];
        return ['error' => 'payment', 'requestId' => $error->requestId, 'details' => $error->details] + $said;
    } catch (WebhookError $error) {
        return ['error' => 'webhook', 'message' => $error->getMessage()];
    } catch (InvalidArgumentException $error) {
        return ['error' => 'mistake', 'message' => $error->getMessage()];
    }
}

foreach (file($argv[1], FILE_IGNORE_NEW_LINES) as $line) {
    echo json_encode(outcome(json_decode($line, true, 512, JSON_THROW_ON_ERROR)), JSON_THROW_ON_ERROR), "\n";
}
