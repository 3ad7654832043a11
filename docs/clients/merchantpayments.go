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
	"unicode"
	"unicode/utf8"
)

// Client calls the service at URL, https://HOST or https://HOST:PORT. An attempt takes Timeout at most, a minute if 0;
// after TotalTimeout, two minutes if 0, nothing is sent again.
type Client struct {
	URL, Key, Secret      string
	Timeout, TotalTimeout time.Duration
}

// Call is what is called: Target is path and query as on the request line, Body becomes JSON unless it is nil.
type Call struct {
	Method, Target, IdempotencyKey string
	Body                           any
}

// Error is no success. Where MayHaveHappened is true, a call with the same IdempotencyKey tells whether it was one. With
// a Status of 2xx it was: only that its answer does not fit what the caller wanted of it.
type Error struct {
	Status          int             `json:"-"`
	Code            string          `json:"code"`
	Message         string          `json:"message"`
	RequestID       string          `json:"-"`
	Details         json.RawMessage `json:"details"`
	IdempotencyKey  string          `json:"-"`
	MayHaveHappened bool            `json:"-"`
	cause           error
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d): %s", e.Code, e.Status, e.Message) }

// Unwrap is why there was no answer, or none that fits.
func (e *Error) Unwrap() error { return e.cause }

func (e *Error) isUnclear(after string) bool {
	switch e.Status {
	case 0, 408, 425, 429:
		return true
	case 401:
		return e.Code == "nonce_reused" // something on the way sent it twice
	case 409:
		return after != "" || e.Code == "idempotency_in_progress"
	}
	return e.Status >= 500
}

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

// Do puts the answer where answer points to, unless that is nil. What got no whole answer, or "not now", is sent again,
// signed anew. What is no *Error was a mistake before anything was sent, or the context had ended by then.
func (c Client) Do(ctx context.Context, call Call, answer any) error {
	_, err := c.do(ctx, call, answer)
	return err
}

// Page puts one page of a list where answer points to, and gives the target of the next page: "" where there is none.
func (c Client) Page(ctx context.Context, target string, answer any) (next string, err error) {
	headers, err := c.do(ctx, Call{Method: http.MethodGet, Target: target}, answer)
	cursor := headers.Get("X-Next-Cursor")
	if err != nil || cursor == "" {
		return "", err
	}
	path, query, _ := strings.Cut(target, "?")
	values, err := url.ParseQuery(query)
	values.Set("cursor", cursor)
	return path + "?" + values.Encode(), err
}

func (c Client) do(ctx context.Context, call Call, answer any) (http.Header, error) {
	var body []byte // what is signed and what is sent
	var err error
	if call.Body != nil {
		if body, err = json.Marshal(call.Body); err != nil {
			return nil, err
		}
	}
	if call.IdempotencyKey == "" && call.Method != http.MethodGet {
		call.IdempotencyKey = fmt.Sprintf("%x", random(16))
	}
	if err = ctx.Err(); err != nil {
		return nil, err
	}
	total, start, counted, wasUnclear := c.TotalTimeout, time.Now(), 0, false
	if total == 0 {
		total = 2 * time.Minute
	}
	for number := 1; ; number++ {
		request, err := c.request(ctx, call, body)
		if err != nil {
			return nil, err
		}
		headers, problem := c.send(request, answer)
		if problem == nil {
			return headers, nil
		}
		after, status := headers.Get("Retry-After"), problem.Status
		isUnclear := problem.isUnclear(after)
		wasUnclear = wasUnclear || isUnclear || status/100 == 2
		problem.IdempotencyKey, problem.MayHaveHappened = call.IdempotencyKey, wasUnclear && call.Method != http.MethodGet
		if status != 409 { // 409: the first request of this key still runs
			counted++
		}
		wait := pause(number, after)
		if !isUnclear || status == 501 || status == 505 {
			return nil, problem
		}
		if ctx.Err() == nil && (counted >= attemptsMax || wait > total-time.Since(start)) {
			return nil, problem
		}
		select {
		case <-ctx.Done():
			problem.Status, problem.Code, problem.Message, problem.cause = 0, "no_answer", ctx.Err().Error(), ctx.Err()
			return nil, problem
		case <-time.After(wait):
		}
	}
}

func (c Client) request(ctx context.Context, call Call, body []byte) (*http.Request, error) {
	if strings.IndexFunc(c.Secret, unicode.IsSpace) >= 0 || c.Secret == "" {
		return nil, errors.New("Secret: expected is what was issued, without white space")
	}
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

// send puts the answer where it is wanted, or gives what is no success, and the headers of either.
func (c Client) send(request *http.Request, answer any) (http.Header, *Error) {
	client := http.Client{Transport: transport, Timeout: c.Timeout}
	if c.Timeout == 0 {
		client.Timeout = time.Minute
	}
	// A redirect is not followed: its target is not signed.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return nil, noAnswer(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, noAnswer(err)
	}
	problem := &Error{Code: fmt.Sprintf("http_%d", response.StatusCode), Message: "no answer of the service itself"}
	if response.StatusCode/100 != 2 {
		_ = json.Unmarshal(content, problem) // a proxy in front of the service says what it likes
	} else if !json.Valid(content) || !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) {
		return nil, noAnswer(errors.New("what came is no JSON object"))
	} else if answer == nil {
		return response.Header, nil
	} else if err := json.Unmarshal(content, answer); err != nil {
		problem = &Error{Code: "unexpected_answer", Message: "it was done, but: " + err.Error(), cause: err}
	} else {
		return response.Header, nil
	}
	problem.Status, problem.RequestID = response.StatusCode, response.Header.Get("X-Request-Id")
	return response.Header, problem
}

// pause is the time before the next sending: as Retry-After asks for, of which more than half a minute is too long.
func pause(number int, after string) time.Duration {
	seconds, err := strconv.ParseUint(after, 10, 30) // of too many digits it makes the greatest number
	asked := time.Duration(seconds) * time.Second
	if date, errDate := http.ParseTime(after); errDate == nil {
		asked = time.Until(date)
	} else if errors.Is(err, strconv.ErrSyntax) {
		if number > 6 {
			number = 6
		}
		return time.Duration(125+random(1)[0]/2) * time.Millisecond << number
	}
	if asked > 30*time.Second {
		return 1 << 62
	} else if asked < 0 {
		asked = 0
	}
	return asked + time.Duration(random(1)[0])*3900*time.Microsecond
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
