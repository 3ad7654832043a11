// Texts that are of a format, and texts that are not, from the RFCs that define them.

export interface FormatSamples {
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /**
   * Where Ajv decides otherwise and we follow the RFC (or a decision of the design). Ajv's verdict
   * is asserted too, so that a list that is no longer needed is noticed.
   */
  readonly onlyOurs?: readonly string[];
  readonly onlyAjv?: readonly string[];
}

const longLabel = "a".repeat(63);

export const formatSamples: Readonly<Record<string, FormatSamples>> = {
  // RFC 3339 section 5.6 and its examples in 5.8
  "date-time": {
    good: [
      "1985-04-12T23:20:50.52Z",
      "1996-12-19T16:39:57-08:00",
      "1937-01-01T12:00:27.87+00:20",
      "2026-01-01t00:00:00z",
      "2024-02-29T00:00:00Z",
      "2000-02-29T23:59:59.999999999+23:59",
      "0001-01-01T00:00:00Z",
      "2026-01-01T00:00:00-00:00",
    ],
    bad: [
      "",
      "2026-01-01",
      "2026-01-01T00:00:00",
      "2026-01-01T00:00Z",
      "2026-1-01T00:00:00Z",
      "2023-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z",
      "2026-04-31T00:00:00Z",
      "2026-01-00T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T23:60:00Z",
      "2026-01-01T00:00:61Z",
      "2026-01-01T00:00:00.Z",
      "2026-01-01T00:00:00+24:00",
      "2026-01-01T00:00:00+00:60",
      " 2026-01-01T00:00:00Z",
      "2026-01-01T00:00:00Z\n",
      "2026-01-01T00:00:00,5Z",
      "+2026-01-01T00:00:00Z",
      "٢٠٢٦-01-01T00:00:00Z",
      "1767225600",
    ],
    onlyAjv: [
      // leap seconds are refused: no clock of ours can represent them
      "1990-12-31T23:59:60Z",
      "1990-12-31T15:59:60-08:00",
      // RFC 3339 says "T"; a space is for people only
      "2026-01-01 00:00:00Z",
      "2026-01-01\n00:00:00Z",
      // and a colon in the offset
      "2026-01-01T00:00:00+0000",
    ],
  },
  date: {
    good: ["1963-06-19", "2024-02-29", "2000-02-29", "2026-12-31", "0001-01-01"],
    bad: ["", "2023-02-29", "1900-02-29", "2026-13-01", "2026-06-31", "2026-6-01", "06/19/1963"],
  },
  time: {
    good: ["08:30:06Z", "23:59:59.52z", "08:30:06+08:00", "00:00:00-23:59"],
    bad: ["", "08:30:06", "8:30:06Z", "24:00:00Z", "08:60:00Z", "08:30:06.Z", "08:30:06+24:00"],
    onlyAjv: ["23:59:60Z", "15:59:60-08:00"],
  },
  // RFC 3339 appendix A
  duration: {
    good: ["P4DT12H30M5S", "P4Y", "PT0S", "P0D", "P1M", "PT1M", "PT36H", "P1DT12H", "P2W"],
    bad: ["", "P", "PT", "P1", "1D", "P1D2H", "P2D1Y", "PT1D", "P1YT", "p1d", "PT1.5S", "P-1D"],
    // appendix A: the units that are there follow each other without a gap
    onlyAjv: ["P1Y2D", "PT1H2S"],
  },
  // RFC 5321 section 4.1.2 and 4.1.3
  email: {
    good: ["joe.bloggs@example.com", "te~st@example.com", "a+b@x-y.example", "!#$%&'*@example.org"],
    bad: [
      "",
      "2962",
      "joe.bloggs@",
      "@example.com",
      ".test@example.com",
      "test.@example.com",
      "te..st@example.com",
      "a b@example.com",
      "a@example..com",
      "a@-example.com",
      "a@example.com\n",
      "a@b@example.com",
      '"a"b"@example.com',
      '"a@example.com',
      'a"b"@example.com',
      '"a".b@example.com',
      '"é"@example.com',
      '"a\n"@example.com',
      "a@[127.0.0.1",
      "a@[127.0.0]",
      "a@[256.0.0.1]",
      "a@[::1]",
      "a@[IPv6:g::]",
      "a@[IPv6:127.0.0.1]",
      "a@[X-Other:text]",
      "a@[]",
      "a@[127.0.0.1].com",
    ],
    onlyOurs: [
      '"a b"@example.com',
      '"a@b..c"@example.com',
      '"a\\"b\\\\"@example.com',
      '""@example.com',
      "a@[127.0.0.1]",
      "a@[IPv6:::1]",
      "a@[ipv6:2001:db8::7]",
      '" "@[255.255.255.255]',
    ],
  },
  // RFC 1123 section 2.1; what follows "xn--" is in hostnames.test.ts
  hostname: {
    good: ["www.example.com", "localhost", "a", "1a.2b", "xn--4gbwdl.xn--wgbh1c", longLabel],
    bad: ["", "-a.com", "a-.com", "a_b.com", "a..b", ".com", `${longLabel}a.com`, "a b", "exämple"],
    onlyAjv: ["example.com.", "xn--a", "www.xn--n3h.com"],
  },
  // RFC 5890 to 5893; the dots of RFC 3490 section 3.1
  "idn-hostname": {
    good: ["실례.테스트", "a.b", "münchen。de", "אב.example", "xn--mnchen-3ya.de", "ب٠.ب", "faß"],
    bad: [],
    onlyAjv: ["", "ü.", "Ü", "-ü", "☃", "a_ü", "ü".repeat(63), "אa", "1א", "א.1", "ب0٠", "א-"],
  },
  // RFC 6531 section 3.3
  "idn-email": {
    good: ["실례@실례.테스트", "a@example.com", '"ä ö"@example.com', "ä.b@ö.example"],
    bad: [],
    onlyAjv: [
      "",
      "ä",
      "@ä",
      "ä@",
      "ä..b@c.example",
      ".ä@c.example",
      "ä b@c.example",
      "ä＠c.example",
    ],
  },
  // RFC 2673 section 3.2
  ipv4: {
    good: ["192.168.0.1", "0.0.0.0", "255.255.255.255", "127.0.0.1"],
    bad: [
      "",
      "1.2.3",
      "1.2.3.4.5",
      "256.0.0.1",
      "1.2.3.-4",
      "0x7f.0.0.1",
      "1.2.3.4/8",
      "1.2.3.4\n",
    ],
  },
  // RFC 4291 section 2.2
  ipv6: {
    good: [
      "::",
      "::1",
      "ABCD:EF01:2345:6789:ABCD:EF01:2345:6789",
      "2001:DB8:0:0:8:800:200C:417A",
      "2001:DB8::8:800:200C:417A",
      "FF01::101",
      "0:0:0:0:0:0:13.1.68.3",
      "::FFFF:129.144.52.38",
      "1::",
      "1:2:3:4:5:6:7::",
      "::2:3:4:5:6:7:8",
    ],
    bad: [
      "",
      ":",
      ":::",
      "12345::",
      "::1::2",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "::g",
      "1:2:3:4:5:6:7:8::",
      "1:2:3:4:5:6:1.2.3",
      "::1.2.3.256",
      "1.2.3.4::",
      "fe80::1%eth0",
      "[::1]",
      " ::1",
      "::1/64",
    ],
  },
  // RFC 6570 section 1.2 and 2
  "uri-template": {
    good: ["", "http://example.com/~{username}/", "{%41_1}", "ä%20b", "{=reserved}"],
    bad: ["{", "}", "{a", "{}", "a b", "%2", "{a b}"],
    onlyOurs: ["{?x,y*}{&z:3}{#hello}{+path}{/a.b}{;c}{.d}"],
  },
  // draft-bhutton-relative-json-pointer-00, section 5.1
  "relative-json-pointer": {
    good: ["0", "1/0", "2/highly/nested/objects", "0#", "1#", "10/~0~1"],
    bad: ["", "/a", "-1", "01", "0##", "0a", "0/~2", "1#/a"],
    onlyOurs: ["0-1", "0+1#", "1+10/a"],
  },
  // RFC 3986 section 1.1.2 and 3
  uri: {
    good: [
      "ftp://ftp.is.co.za/rfc/rfc1808.txt",
      "http://www.ietf.org/rfc/rfc2396.txt",
      "ldap://[2001:db8::7]/c=GB?objectClass?one",
      "mailto:John.Doe@example.com",
      "news:comp.infosystems.www.servers.unix",
      "tel:+1-816-555-1212",
      "telnet://192.0.2.16:80/",
      "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
      "foo://example.com:8042/over/there?name=ferret#nose",
      "https://user:pass@shop.example/%C3%A9",
      "http://[::1]:8080/",
      "http://a",
      "file:///etc/hosts",
    ],
    // section 3: what follows the scheme may be empty
    onlyOurs: ["a:"],
    // section 3.2.3: a port is digits
    onlyAjv: ["http://a:b/"],
    bad: [
      "",
      "//foo.bar",
      "/abc",
      "abc",
      "\\\\WINDOWS\\share",
      "http:// shouldfail.com",
      "http://a b",
      "https://exämple.com",
      "http://a/%zz",
      "http://a/<>",
      "http://a/^",
      "http://a/`{}|",
      'http://a/"',
      "1http://a",
      "http://[::1",
      "http://[::g]/",
      "http://a#b#c",
      "http://a\n",
    ],
  },
  // RFC 3987 section 2.2; Ajv knows none of the formats of other scripts
  iri: {
    good: [
      "http://ƒøø.ßår/?∂éœ=πîx#πîüx",
      "http://résumé.example.org",
      "http://a/?\ue000",
      "urn:ä:\u{1f600}",
      "http://[::1]/ä",
    ],
    bad: [],
    onlyAjv: [
      "",
      "ä",
      "/ä",
      "http://\ue000/",
      "http://[::1]ä",
      "a:\ufdd0",
      "a:\u{1fffe}",
      "a:b\n",
      "a:\\",
    ],
  },
  "iri-reference": {
    good: ["ä", "/ä?ö#ü", "//ä", "http://ä/", ""],
    bad: [],
    onlyAjv: ["ä b", "1ä:b", "#ä#", "\ufffe", "\\ä"],
  },
  // RFC 3986 section 4.2 and 5.4
  "uri-reference": {
    good: [
      "",
      "http://a/b/c/d;p?q",
      "g:h",
      "g",
      "./g",
      "g/",
      "/g",
      "//g",
      "?y",
      "g?y",
      "#s",
      "g#s",
      "g?y#s",
      ";x",
      "../../g",
      "/v1/webhook-endpoints/whe_01",
    ],
    bad: ["\\\\WINDOWS\\file", "#frag\\ment", "a b", "%", "<g>", "é", "//[::1", "a^"],
    // section 4.2: what stands before a colon in the first segment is a scheme
    onlyAjv: ["1:a"],
  },
  // RFC 4122 section 3
  uuid: {
    good: [
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
      "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
    bad: [
      "",
      "f81d4fae7dec11d0a76500a0c91e6bf6",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
      "g81d4fae-7dec-11d0-a765-00a0c91e6bf6",
      "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n",
    ],
    // JSON Schema means the text of section 3 without the URN around it
    onlyAjv: ["urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
  },
  // RFC 4648 section 10
  byte: {
    good: ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy", "+/+/"],
    bad: ["Z", "Zg", "Zg=", "Zg===", "Zm9v=", "Zm8*", "-_-_", "Zg==Zg==", "=", "Zm9 v"],
    onlyAjv: ["Zm9v\n"],
  },
  // RFC 4648 section 5, which pads; RFC 7515 section 2 does not
  base64url: {
    good: ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "-_-_", "Zg==", "Zm8=", "Zm9vYg==", "-_8="],
    bad: [],
    // Ajv does not know the format
    onlyAjv: ["Z", "Zg=", "Zg===", "Zm9v=", "Zg==Zg", "=", "Zm9vY", "+/+/", "Zm9 v", "Zm9v\n"],
  },
  // RFC 6901 section 5
  "json-pointer": {
    good: [
      "",
      "/foo",
      "/foo/0",
      "/",
      "/a~1b",
      "/c%d",
      "/e^f",
      "/g|h",
      "/ ",
      "/m~0n",
      "/i\\j",
      '/k"l',
    ],
    bad: ["foo", "#", "#/a", "/~", "/~2", "/a~", "a/b"],
  },
  regex: {
    good: ["", "^a$", "[a-z]+", "\\p{L}", "(?<year>\\d{4})", "(?=a)"],
    bad: ["(", "[", "a{2,1}", "*", "\\", "(?<n>a)(?<n>b)"],
    // patterns of JSON Schema are unicode patterns
    onlyAjv: ["\\p{Nonsense}", "\\-"],
  },
};
