import { describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { checkWebhookUrl, webhookUrlProblem } from "../../service/webhooks/url.ts";
import type { WebhookUrlPolicy } from "../../service/webhooks/url.ts";

const policy: WebhookUrlPolicy = {
  allowedHttpHosts: new Set(["127.0.0.1", "[::1]", "localhost", "receiver"]),
  ownHosts: new Set(["pay.example"]),
  isTest: false,
};
const testPolicy = { ...policy, isTest: true };

/** 253 characters, with labels of 62 and 63. */
const longest = [62, 63, 63, 62].map((length) => "a".repeat(length)).join(".");

test.each([
  "https://shop.example/hooks/payments",
  "https://shop.example",
  "https://shop.example:443/hooks",
  "https://shop.example:8443/hooks",
  "HTTPS://Shop.Example/Hooks?a=1&b=%20",
  "https://a.b.c-d.example/",
  "https://xn--mnchen-3ya.example/",
  "https://1.example/",
  "https://0x7f.1.example/",
  `https://shop.example/${"a".repeat(2048 - 21)}`,
  `https://${longest}/`,
  "https://home.example/",
])("%s is taken", (url) => {
  expect(webhookUrlProblem(url, policy)).toBeUndefined();
});

const refused = [
  ["not https", /https:\/\//, ["http://shop.example/", "http://127.0.0.1/"]],
  [
    "no URL of a server",
    /absolute https URL/,
    [
      "",
      "shop.example",
      "//shop.example/",
      "https:shop.example",
      "https:/shop.example",
      "https://",
      "https:///hooks",
      "ftp://shop.example/",
      "javascript:alert(1)",
      "data:text/plain,a",
      "https://shop.example:99999/",
      "https://1.2.3.256/",
      "https://[::1/",
      "https://a%00b.example/",
    ],
  ],
  [
    "user information",
    /user information/,
    [
      "https://user@shop.example/",
      "https://user:pw@shop.example/",
      "https://@shop.example/",
      "https://shop.example@127.0.0.1/",
      "https://shop.example%40@127.0.0.1/",
    ],
  ],
  ["a fragment", /fragment/, ["https://shop.example/#a", "https://shop.example/#"]],
  ["too long", /2048/, [`https://shop.example/${"a".repeat(2048 - 20)}`]],
  [
    "another port",
    /443/,
    [
      "https://shop.example:80/",
      "https://shop.example:22/",
      "https://shop.example:6379/",
      "https://shop.example:0/",
      "https://shop.example:65535/",
    ],
  ],
  [
    "an IP address in some spelling",
    /not an IP address/,
    [
      "https://127.0.0.1/",
      "https://127.0.0.1:8443/",
      "https://8.8.8.8/",
      "https://0x7f.1/",
      "https://0x7f000001/",
      "https://2130706433/",
      "https://0177.0.0.1/",
      "https://017700000001/",
      "https://127.1/",
      "https://127.0.1/",
      "https://127.0.0.1./",
      "https://0x7f.1./",
      "https://0/",
      "https://%31%32%37.0.0.1/",
      "https://127%2e0%2e0%2e1/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:7f00:1]/",
      "https://[64:ff9b::7f00:1]/",
      "https://[2606:4700:4700::1111]/",
    ],
  ],
  [
    "characters that a parser changes",
    /visible ASCII/,
    [
      "https://１２７.0.0.1/",
      "https://127。0。0。1/",
      "https://ⓛocalhost/",
      "https://münchen.example/",
      "https://shop.example/ü",
      "https://shop.exa\tmple/",
      "https://shop.example/\n",
      " https://shop.example/",
      "https://shop.example /",
      "https://shop.example\\@127.0.0.1/",
      "https:\\\\127.0.0.1\\",
      "https://127.0.0.1\u00ad/",
    ],
  ],
  [
    "a name that is not spelled plainly",
    /spelled plainly: write shop\.example/,
    ["https://%73hop.example/", "https://shop%2eexample/"],
  ],
  ["a dot at the end", /without a dot/, ["https://shop.example./", "https://localhost./"]],
  ["a name without a domain", /full public host name/, ["https://localhost/", "https://redis/"]],
  [
    "a name of a private network",
    /private network/,
    [
      "https://db.local/",
      "https://metadata.google.internal/",
      "https://a.localhost/",
      "https://router.home.arpa/",
      "https://nas.lan/",
      "https://wiki.corp/",
      "https://wiki.intranet/",
      "https://nas.home/",
      "https://nas.private/",
    ],
  ],
  [
    "no name that DNS allows",
    /valid host name/,
    [
      "https://-a.example/",
      "https://a_b.example/",
      "https://a..example/",
      `https://${"a".repeat(64)}.example/`,
      `https://${"a.".repeat(130)}example/`,
      `https://a${longest}/`,
    ],
  ],
  ["ourselves", /this service itself/, ["https://pay.example/hooks", "https://PAY.example:8443/"]],
] as const;

describe.each(refused)("refuses %s", (_, message, urls) => {
  test.each(urls)("%j", (url) => {
    expect(webhookUrlProblem(url, policy)).toMatch(message);
  });
});

describe("a listed host", () => {
  test.each([
    "http://127.0.0.1:9000/hooks",
    "http://localhost:9000/",
    "https://localhost/",
    "http://[::1]:9000/",
    "http://receiver/",
  ])("%s is taken with a test key", (url) => {
    expect(webhookUrlProblem(url, testPolicy)).toBeUndefined();
    expect(webhookUrlProblem(url, policy)).toBeDefined();
  });

  test.each([
    ["http://127.0.0.2:9000/", "another address"],
    ["http://0x7f.1:9000/", "another spelling"],
    ["http://2130706433:9000/", "another spelling"],
    ["http://user@127.0.0.1:9000/", "user information"],
    ["http://localhost.:9000/", "a dot at the end"],
    ["http://shop.example/", "not listed"],
  ])("does not open %s: %s", (url) => {
    expect(webhookUrlProblem(url, testPolicy)).toBeDefined();
  });
});

test("the refusal says where and what to write instead, and repeats nothing of the URL", () => {
  const check = (): void => checkWebhookUrl("http://user:pass@shop.example/", policy);
  expect(check).toThrow(ServiceError);
  try {
    check();
  } catch (error) {
    expect(error).toMatchObject({
      code: "webhook_url_not_allowed",
      details: { violations: [{ in: "body", pointer: "/url", rule: "url_policy" }] },
    });
    expect(String(error)).toContain("Webhooks are not sent to this URL: it must not have user");
    expect(String(error)).not.toContain("pass");
  }
});
