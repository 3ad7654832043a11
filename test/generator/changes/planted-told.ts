// Changes planted into the small contract of which something is said, though not all of them break a client.

import { add, both, change, type Harmless, move, remove } from "./edits.ts";

const pet = "/paths/~1pets~1{id}";
const answer = `${pet}/get/responses/200`;
const orders = "/paths/~1orders/post";
const born = "/webhooks/born/post";
const callback = `${orders}/callbacks/shipped/{$request.body#~1url}/post`;
const content = `${orders}/requestBody/content`;
const oauth = "/components/securitySchemes/OAuth/flows";
const fields = `${pet}/get/parameters/0`;

export const smallTold: readonly Harmless[] = [
  ["an operation has another tag", change(`${pet}/get/tags`, ["animals"])],
  ["an operation has a second tag", add(`${pet}/get/tags`, "animals")],
  ["an operation has no tag", remove(`${pet}/get/tags`)],
  ["an operation has another name", change(`${pet}/get/operationId`, "onePet")],
  ["an operation ends, and nobody knows when", add(`${orders}/deprecated`, true)],
  [
    "an operation ends, and its day is no day",
    both(add(`${orders}/deprecated`, true), add(`${orders}/x-sunset`, "soon")),
  ],
  ["the end of an operation has no day", remove("/paths/~1old/get/x-sunset")],
  ["the end of an operation comes earlier", change("/paths/~1old/get/x-sunset", "2026-05-31")],
  ["the end of an operation comes later", change("/paths/~1old/get/x-sunset", "2026-07-31")],
  ["an operation that was to end stays", remove("/paths/~1old/get/deprecated")],
  ["an operation that is to end is another one", move("/paths/~1old", "/paths/~1older")],
  ["a day that nobody is told", add(`${orders}/x-sunset`, "2026-01-01")],
  ["an operation of another method", move(`${pet}/put`, `${pet}/patch`)],
  ["a webhook without a body", remove(`${born}/requestBody`)],
  ["a webhook without a header", remove(`${born}/parameters/0`)],
  ["a header of a webhook that may be absent", remove(`${born}/parameters/0/required`)],
  ["a header of a webhook in other letters", change(`${born}/parameters/0/name`, "Webhook-Id")],
  ["a webhook takes one status less", remove(`${born}/responses/410`)],
  ["a webhook of another method", move(born, "/webhooks/born/put")],
  ["a request without a body", remove(`${pet}/put/requestBody`)],
  ["a request without a body that need not be", remove(`${orders}/requestBody`)],
  ["a body that must be there", add(`${orders}/requestBody/required`, true)],
  ["a body that need not be there", remove(`${pet}/put/requestBody/required`)],
  [
    "a body in other letters",
    move(`${answer}/content/application~1xml`, `${answer}/content/Application~1XML`),
  ],
  [
    "how a part of a body is written",
    add(`${orders}/requestBody/content/text~1csv/encoding`, {
      title: { contentType: "text/plain" },
    }),
  ],
  [
    "how a part of an answer is written",
    add(`${answer}/content/application~1xml/encoding`, { a: { explode: true } }),
  ],
  ["an answer has a link", add(`${answer}/links`, { next: { operationId: "getPet" } })],
  [
    "an answer has a header",
    add(`${answer}/headers`, { "X-Age": { schema: { type: "integer" } } }),
  ],
  [
    "an answer always has a header",
    add(`${answer}/headers`, { "X-Age": { required: true, schema: { type: "integer" } } }),
  ],
  ["an answer of a class more", add(`${orders}/responses/5XX`, { description: "Broken." })],
  ["another success", add(`${orders}/responses/202`, { description: "Later." })],
  [
    "an answer in place of all others",
    move(`${pet}/put/responses/default`, `${pet}/put/responses/500`),
  ],
  ["a parameter that must be sent", add(`${fields}/required`, true)],
  ["a parameter that ends", add(`${fields}/deprecated`, true)],
  ["a parameter that does not end", add(`${fields}/deprecated`, false)],
  ["a parameter in another style", change(`${fields}/style`, "pipeDelimited")],
  ["a parameter once for each value", change(`${fields}/explode`, true)],
  ["a parameter whose style is the usual one", remove(`${fields}/style`)],
  ["a parameter whose way is the usual one", remove(`${fields}/explode`)],
  ["a parameter with signs as they are", add(`${fields}/allowReserved`, true)],
  ["a parameter that may be empty", add(`${fields}/allowEmptyValue`, true)],
  ["a parameter elsewhere", change(`${fields}/in`, "header")],
  ["a parameter in a cookie", change(`${fields}/in`, "cookie")],
  [
    "a header that is said elsewhere",
    add(`${pet}/get/parameters`, { name: "Authorization", in: "header", schema: {} }),
  ],
  [
    "a header more",
    add(`${pet}/get/parameters`, { name: "X-Trace", in: "header", schema: { type: "string" } }),
  ],
  ["a callback is gone", remove(`${orders}/callbacks/shipped`)],
  ["whoever calls needs another scope", change("/security/0/OAuth/0", "write")],
  ["nobody need say who calls", add(`${orders}/security`, [])],
  ["one key more is asked for", change("/security/1", { Key: [], Other: [] })],
  ["an address more", add("/servers", { url: "https://new.pets.example/" })],
  ["an address with a slash", change("/servers/1/url", "https://old.pets.example/")],
  ["an address with another region", change("/servers/0/variables/region/enum/1", "asia")],
  ["an address with another usual region", change("/servers/0/variables/region/default", "us")],
  ["an address with any region", remove("/servers/0/variables/region/enum")],
  ["a webhook ends after the day that was told", remove("/webhooks/left")],
  ["a webhook always has a body", add(`${born}/requestBody/required`, true)],
  ["a webhook takes a status of a class", add("/webhooks/left/post/responses/202", {})],
  ["a webhook comes without a signature", remove(`${born}/security/0`)],
  ["a webhook comes with nothing", remove(`${born}/security`)],
  ["a webhook may come with nothing", add(`${born}/security`, {})],
  ["a webhook comes with another scope", change(`${born}/security/1/Sent/0`, "all")],
  ["a webhook comes with both", change(`${born}/security`, [{ Signed: [], Sent: ["events"] }])],
  [
    "a webhook that came with nothing comes with a key",
    add("/webhooks/left/post/security", [{ Key: [] }]),
  ],
  ["a callback comes with a key", add(`${callback}/security`, [{ Key: [] }])],
  ["a signature has another name", change("/components/securitySchemes/Signed/name", "X-Sign")],
  [
    "a webhook's tokens come another way, too",
    add("/components/securitySchemes/Sent/flows/password", { tokenUrl: "/token", scopes: {} }),
  ],
  ["a parameter of a webhook is gone", remove("/webhooks/left/post/parameters/0")],
  ["a parameter ends after the day that was told", remove("/paths/~1old/get/parameters/0")],
  ["a property ends after the day that was told", remove("/components/schemas/Pet/properties/age")],
  [
    "a property ends sooner than was told",
    change("/components/schemas/Pet/properties/age/x-sunset", "2026-06-01"),
  ],
  [
    "a parameter ends too soon",
    both(add(`${fields}/deprecated`, true), add(`${fields}/x-sunset`, "2026-08-01")),
  ],
  [
    "tokens come another way, too",
    add("/components/securitySchemes/OAuth/flows/password", { tokenUrl: "/token", scopes: {} }),
  ],
  ["tokens come another way", change(`${oauth}/clientCredentials/tokenUrl`, "/token")],
  ["a scope more", add(`${oauth}/clientCredentials/scopes/admin`, "")],
  ["a scope less", remove(`${oauth}/clientCredentials/scopes/write`)],
  [
    "a scheme has another name",
    both(
      move("/components/securitySchemes/Key", "/components/securitySchemes/ApiKey"),
      change("/security/1", { ApiKey: [] }),
    ),
  ],
  ["a key in other letters", change("/components/securitySchemes/Key/name", "x-key")],
  ["a key elsewhere", change("/components/securitySchemes/Key/in", "query")],
  ["a lower version", change("/info/version", "0.9.0")],
  ["a higher version", change("/info/version", "2.0.0")],
  ["a version of other words", change("/info/version", "2026-07")],
  ["a version that says too little", both(change("/info/version", "1.1.0"), remove("/security/1"))],
  ["a version that says enough", both(change("/info/version", "2.0.0"), remove("/security/1"))],
  ["a body of a range", move(`${content}/text~1csv`, `${content}/text~1*`)],
  ["a body of any kind", move(`${content}/text~1csv`, `${content}/*~1*`)],
  ["a range beside its type", add(`${content}/text~1*`, {})],
  [
    "an answer of a range",
    move(`${answer}/content/application~1xml`, `${answer}/content/application~1*`),
  ],
  [
    "an answer that says its signs",
    move(`${answer}/content/application~1xml`, `${answer}/content/application~1xml; charset=utf-8`),
  ],
  [
    "an answer of a version",
    move(`${answer}/content/application~1xml`, `${answer}/content/application~1xml;v=2`),
  ],
  ["what is only told", add(`${pet}/get/description`, "One pet, with its home.")],
];
