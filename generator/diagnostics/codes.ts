// Every kind of problem that a document can have. A code is a promise: people allow it by name, and programs
// look for it. It keeps its meaning; what is no longer found leaves its number empty.
//
// 1xx reading files, 2xx references and names, 3xx shapes of objects, 4xx schemas, 5xx parameters, bodies and
// answers, 6xx paths and operations, 7xx security, 8xx defaults and examples.

export interface Diagnostic {
  /** an error stops the generator, a warning does not */
  readonly severity: "error" | "warning";
  /** for lists and for other programs: in a few words, without names of the document */
  readonly title: string;
}

const error = <Title extends string>(title: Title) => ({ severity: "error", title }) as const;
const warning = <Title extends string>(title: Title) => ({ severity: "warning", title }) as const;

export const codes = {
  OAG101: error("a file that cannot be read"),
  OAG102: error("a document that is no object"),
  OAG103: error("text that is not YAML"),
  OAG105: error("a name that stands twice in one object"),
  OAG106: warning("YAML that says nothing here, or not the same to everybody"),
  OAG107: error("several documents in one file"),
  OAG108: error("aliases of YAML that multiply"),
  OAG109: error("a property's name that is no text"),
  OAG110: error("a value that JSON does not have"),
  OAG111: warning("a merge key of YAML 1.1"),
  OAG112: error("a document of Swagger 2.0"),
  OAG113: error("a document that does not say its version"),
  OAG114: error("a version of OpenAPI that is not read"),

  OAG201: error("a reference to nothing"),
  OAG202: error("a reference to an anchor that is nowhere"),
  OAG203: error("a reference to another machine"),
  OAG204: error("a reference to a file that cannot be read"),
  OAG205: error("a reference to something of another kind"),
  OAG206: error("a $ref that is no text"),
  OAG207: warning("a field beside a $ref"),
  OAG208: error("a reference that leads back to itself"),
  OAG209: error("an $id that is no reference"),
  OAG210: error("an $id with a fragment"),
  OAG211: error("an $id that names two schemas"),
  OAG212: error("a name that no anchor can have"),
  OAG213: error("an anchor that stands twice"),
  OAG214: error("a $dynamicRef with too many meanings"),
  OAG215: error("a mapping to a component that is nowhere"),

  OAG301: error("a field that the object does not have"),
  OAG302: error("a field that is missing"),
  OAG303: error("a field of another version of OpenAPI"),
  OAG304: error("a value of the wrong type"),
  OAG305: error("a value that is none of those allowed"),

  OAG401: error("a type that does not exist"),
  OAG402: error("a list of types in OpenAPI 3.0"),
  OAG403: error("an empty list of types"),
  OAG404: error("a type that is named twice"),
  OAG405: warning("a word that is no keyword"),
  OAG406: warning("a keyword of another type"),
  OAG407: warning("a keyword without the one that it needs"),
  OAG408: error("a combination of no schemas"),
  OAG409: warning("content inside a text"),
  OAG410: warning("a pattern that only works without the unicode flag"),
  OAG411: error("a pattern that is no regular expression"),
  OAG412: warning("bounds that no value can keep"),
  OAG413: error("an exclusive bound as another version writes it"),
  OAG414: error("a multipleOf that is not above 0"),
  OAG415: warning("an empty enum"),
  OAG416: warning("a value that stands in the enum twice"),
  OAG417: warning("a format that is not checked"),
  OAG418: warning("nullable in OpenAPI 3.1"),
  OAG419: warning("a nullable that changes nothing"),
  OAG420: warning("a discriminator that has nothing to choose from"),
  OAG421: warning("a discriminator on a parent"),
  OAG422: error("another language of schemas"),
  OAG423: error("a vocabulary that nobody here knows"),
  OAG424: warning("dependencies of draft 7"),

  OAG501: warning("a header that cannot be a parameter"),
  OAG502: error("a parameter that needs one of schema and content"),
  OAG503: error("a style that does not fit the place"),
  OAG504: error("a path parameter that is not required"),
  OAG505: warning("lists and objects that the style cannot write"),
  OAG506: error("a style beside content"),
  OAG507: error("a style that does not fit the schema"),
  OAG508: error("a parameter that is listed twice"),
  OAG520: error("a request body without a media type"),
  OAG521: error("a media type that stands twice"),
  OAG522: warning("media types that differ in parameters only"),
  OAG523: error("a name that is no media type"),
  OAG524: warning("a schema that is not looked at"),
  OAG525: warning("an encoding that is not honoured"),
  OAG540: warning("an operation that documents no answer"),
  OAG541: error("a name that is no status"),
  OAG542: warning("content of an answer that has no body"),
  OAG543: error("statuses of default that are none"),
  OAG544: error("a status of default that has an answer of its own"),

  OAG601: warning("a path that clients end early"),
  OAG602: error("a path that does not begin with a slash"),
  OAG603: error("braces that do not match"),
  OAG604: error("two parameters with nothing between"),
  OAG605: error("two paths that are one"),
  OAG606: warning("two paths that are one, with other methods"),
  OAG607: error("a name in the path without a parameter"),
  OAG608: warning("a path parameter without a place"),
  OAG609: error("a path that names a parameter twice"),
  OAG610: warning("an operation without operationId"),
  OAG611: error("an operationId that is taken"),

  OAG701: error("a security scheme that is nowhere"),
  OAG702: error("a security scheme that lacks what its type needs"),

  OAG801: error("a default that is used and does not fit"),
  OAG802: warning("a default that is not used and does not fit"),
  OAG803: warning("an example that does not fit"),
} as const satisfies Readonly<Record<`OAG${number}`, Diagnostic>>;

export type Code = keyof typeof codes;

type CodeOf<Severity extends Diagnostic["severity"]> = {
  [One in Code]: (typeof codes)[One]["severity"] extends Severity ? One : never;
}[Code];

export type ErrorCode = CodeOf<"error">;
export type WarningCode = CodeOf<"warning">;
