// Package merchantpayments signs calls of the merchant interface and verifies its webhooks. Copy this file: it
// needs the standard library alone.
package merchantpayments

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Client calls the service at URL, https://HOST or https://HOST:PORT. An attempt takes Timeout at most, a minute if 0.
type Client struct {
	URL, Key, Secret string
	Timeout          time.Duration
}

// Call is what is called: Target is path and query as on the request line, Body becomes JSON unless it is nil.
type Call struct {
	Method, Target, IdempotencyKey string
	Body                           any
}

// Error is a refusal. Code "no_answer", Status 0: it may have happened, so call with the same IdempotencyKey again.
type Error struct {
	Status    int             `json:"-"`
	Code      string          `json:"code"`
	Message   string          `json:"message"`
	RequestID string          `json:"-"`
	Details   json.RawMessage `json:"details"`
	cause     error
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d): %s", e.Code, e.Status, e.Message) }

// Unwrap is why there was no answer.
func (e *Error) Unwrap() error { return e.cause }

func noAnswer(cause error) *Error {
	return &Error{Code: "no_answer", Message: cause.Error(), cause: cause}
}

const attemptsMax = 3

var (
	origin      = regexp.MustCompile(`^https?://([A-Za-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]+)?$`)
	requestLine = regexp.MustCompile(`^(GET|POST|PUT) /[!"$-~]*$`)
	visible     = regexp.MustCompile(`^[!-~]{1,128}$`)
	// A connection for each request: what breaks on a kept one, net/http sends again by itself, with the same nonce.
	transport = &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}
)

// Do puts the answer where answer points to. What got no whole answer, or "not now", is sent again, signed anew.
func (c Client) Do(ctx context.Context, call Call, answer any) error {
	var body []byte // what is signed and what is sent
	var err error
	if call.Body != nil {
		if body, err = json.Marshal(call.Body); err != nil {
			return err
		}
	}
	if call.IdempotencyKey == "" && call.Method != http.MethodGet {
		call.IdempotencyKey = fmt.Sprintf("%x", random(16))
	}
	for attempt := 1; ; attempt++ {
		request, err := c.request(ctx, call, body)
		if err != nil {
			return err
		}
		content, headers, refusal := c.send(request)
		if refusal == nil {
			return json.Unmarshal(content, answer)
		}
		after, status := headers.Get("Retry-After"), refusal.Status
		passes := status == 0 || status == 429 || status >= 502 && status <= 504 || status == 409 && after != ""
		if !passes || attempt == attemptsMax {
			return refusal
		}
		wait := time.Duration(125+random(1)[0]/2) * time.Millisecond << attempt
		if asked, err := strconv.ParseUint(after, 10, 30); err == nil && wait < time.Duration(asked)*time.Second {
			wait = time.Duration(asked) * time.Second
		}
		if wait > 30*time.Second {
			wait = 30 * time.Second
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (c Client) request(ctx context.Context, call Call, body []byte) (*http.Request, error) {
	if !origin.MatchString(c.URL) {
		return nil, errors.New("URL: expected is https://HOST or https://HOST:PORT, and nothing behind it")
	}
	if !requestLine.MatchString(call.Method + " " + call.Target) {
		return nil, errors.New("expected is GET, POST or PUT, and a target that begins with / and is percent-encoded")
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, c.URL+call.Target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if call.IdempotencyKey != "" {
		request.Header.Set("Idempotency-Key", call.IdempotencyKey)
	}
	return request, c.Sign(request, body, strconv.FormatInt(time.Now().Unix(), 10), fmt.Sprintf("%x", random(16)))
}

// send gives either the content of an answer, or a refusal with the headers of it.
func (c Client) send(request *http.Request) ([]byte, http.Header, *Error) {
	client := http.Client{Transport: transport, Timeout: c.Timeout}
	if c.Timeout == 0 {
		client.Timeout = time.Minute
	}
	// A redirect is not followed: its target is not signed.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, noAnswer(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, noAnswer(err)
	}
	status := response.StatusCode
	if status >= 200 && status <= 299 {
		if !json.Valid(content) || !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) {
			return nil, nil, noAnswer(errors.New("what came is no JSON object"))
		}
		return content, nil, nil
	}
	refusal := &Error{Code: fmt.Sprintf("http_%d", status), Message: "no answer of the service itself"}
	_ = json.Unmarshal(content, refusal) // a proxy in front of the service says what it likes
	refusal.Status, refusal.RequestID = status, response.Header.Get("X-Request-Id")
	return nil, response.Header, refusal
}

// Sign sets the headers of one sending. Each needs a new nonce: it is taken once.
func (c Client) Sign(request *http.Request, body []byte, timestamp, nonce string) error {
	key, isGiven := request.Header.Get("Idempotency-Key"), len(request.Header.Values("Idempotency-Key")) > 0
	if !visible.MatchString(c.Key) || isGiven && !visible.MatchString(key) {
		return errors.New("API key and Idempotency-Key: expected are 1 to 128 visible ASCII characters")
	}
	query, err := CanonicalQuery(request.URL.RawQuery)
	if err != nil {
		return err
	}
	path, hash := request.URL.EscapedPath(), fmt.Sprintf("%x", sha256.Sum256(body))
	lines := []string{"CPS1-HMAC-SHA256", c.Key, timestamp, nonce, request.Method, path, query, key, hash}
	signature := hmac.New(sha256.New, []byte(c.Secret))
	signature.Write([]byte(strings.Join(lines, "\n")))
	request.Header.Set("X-Api-Key", c.Key)
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Nonce", nonce)
	request.Header.Set("X-Signature", fmt.Sprintf("%x", signature.Sum(nil)))
	return nil
}

// CanonicalQuery is the query decoded, encoded again, and sorted by name and value.
func CanonicalQuery(query string) (string, error) {
	var pairs []string
	for _, pair := range strings.Split(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		for _, part := range []*string{&name, &value} {
			plain, err := url.QueryUnescape(*part)
			if err != nil || !utf8.ValidString(plain) {
				return "", errors.New("query: expected is percent-encoded UTF-8")
			}
			*part = strings.ReplaceAll(url.QueryEscape(plain), "+", "%20")
		}
		pairs = append(pairs, name+"\x00"+value) // a byte that comes before all others: so names are compared first
	}
	sort.Strings(pairs)
	return strings.ReplaceAll(strings.Join(pairs, "&"), "\x00", "="), nil
}

// Event is what a webhook tells. It may come twice: of an ID that was handled nothing is to be done.
type Event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// ErrWebhook is no delivery of the service, or an old one: answer 400, nothing of it counts.
var ErrWebhook = errors.New("webhook refused")

// VerifyWebhook gives the event of a delivery. The body is the bytes as they came; after a rotation give both secrets.
func VerifyWebhook(body []byte, headers http.Header, secrets ...string) (event Event, err error) {
	var values [3]string
	for i, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		if len(headers.Values(name)) != 1 {
			return event, fmt.Errorf("%w: %s is expected once", ErrWebhook, name)
		}
		values[i] = headers.Get(name)
	}
	seconds, err := strconv.ParseUint(values[1], 10, 62)
	if off := time.Now().Unix() - int64(seconds); err != nil || off > 300 || off < -300 {
		return event, fmt.Errorf("%w: Webhook-Timestamp: expected are unix seconds, at most 300 from now", ErrWebhook)
	}
	isRight := false
	if len(secrets) == 0 {
		return event, errors.New("a webhook secret is expected")
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 || !strings.HasPrefix(secret, "whsec_") {
			return event, errors.New("a webhook secret is whsec_ and base64 behind it")
		}
		signature := hmac.New(sha256.New, key)
		signature.Write([]byte(values[0] + "." + values[1] + "."))
		signature.Write(body)
		right := "v1," + base64.StdEncoding.EncodeToString(signature.Sum(nil))
		for _, one := range strings.Split(values[2], " ") {
			isRight = hmac.Equal([]byte(one), []byte(right)) || isRight
		}
	}
	if !isRight {
		return event, fmt.Errorf("%w: Webhook-Signature: made with none of the secrets", ErrWebhook)
	}
	if err := json.Unmarshal(body, &event); err != nil || event.ID == "" {
		return Event{}, fmt.Errorf("%w: the body is no event", ErrWebhook)
	}
	return event, nil
}

func random(count int) []byte {
	bytes := make([]byte, count)
	if _, err := rand.Read(bytes); err != nil {
		panic(err) // a machine without randomness signs nothing
	}
	return bytes
}
