// Does what the lines of a file ask of the helper, each a JSON object, and prints what came of each.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"time"

	"shop/merchantpayments"
)

type asked struct {
	Op, Query, Key, Secret, Method, Target, IdempotencyKey, Timestamp, Nonce, URL string
	Body                                                                          json.RawMessage
	Headers                                                                       [][2]string
	Secrets                                                                       []string
	Timeout, Total, Ending                                                        float64
	Want                                                                          string
}

func (a asked) bytes() (body []byte) {
	must(json.Unmarshal(a.Body, &body)) // base64
	return body
}

func (a asked) answer() (any, error) {
	client := merchantpayments.Client{URL: a.URL, Key: a.Key, Secret: a.Secret}
	client.Timeout = time.Duration(a.Timeout * float64(time.Second))
	client.TotalTimeout = time.Duration(a.Total * float64(time.Second))
	switch a.Op {
	case "query":
		return merchantpayments.CanonicalQuery(a.Query)
	case "sign":
		request, err := http.NewRequest(a.Method, "http://shop.example"+a.Target, nil)
		must(err)
		if a.IdempotencyKey != "" {
			request.Header.Set("Idempotency-Key", a.IdempotencyKey)
		}
		return request.Header, client.Sign(request, a.bytes(), a.Timestamp, a.Nonce)
	case "verify":
		headers := http.Header{}
		for _, one := range a.Headers {
			headers.Add(one[0], one[1])
		}
		return merchantpayments.VerifyWebhook(a.bytes(), headers, a.Secrets...)
	}
	call := merchantpayments.Call{Method: a.Method, Target: a.Target, IdempotencyKey: a.IdempotencyKey}
	if a.Body != nil {
		call.Body = a.Body
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if a.Ending != 0 {
		time.AfterFunc(time.Duration(a.Ending*float64(time.Second)), cancel)
	}
	if a.Op == "pages" {
		return pagesOf(ctx, client, a.Target)
	}
	var content any
	switch a.Want {
	case "nothing":
		return content, client.Do(ctx, call, nil)
	case "number":
		return content, client.Do(ctx, call, new(int))
	}
	err := client.Do(ctx, call, &content)
	return content, err
}

func pagesOf(ctx context.Context, client merchantpayments.Client, target string) (pages []any, err error) {
	for target != "" && err == nil {
		var page any
		target, err = client.Page(ctx, target, &page)
		pages = append(pages, page)
	}
	return pages, err
}

func outcome(a asked) any {
	content, err := a.answer()
	var refusal *merchantpayments.Error
	switch {
	case errors.As(err, &refusal):
		return map[string]any{"error": "payment", "status": refusal.Status, "code": refusal.Code,
			"message": refusal.Message, "requestId": refusal.RequestID, "details": refusal.Details,
			"idempotencyKey": refusal.IdempotencyKey, "mayHaveHappened": refusal.MayHaveHappened,
			"isCanceled": errors.Is(err, context.Canceled)}
	case errors.Is(err, merchantpayments.ErrWebhook):
		return map[string]any{"error": "webhook", "message": err.Error()}
	case err != nil:
		return map[string]any{"error": "mistake", "message": err.Error()}
	}
	return map[string]any{"ok": content}
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	must(err)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var a asked
		must(json.Unmarshal(lines.Bytes(), &a))
		must(json.NewEncoder(os.Stdout).Encode(outcome(a)))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
