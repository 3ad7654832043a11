// Every kind of problem that a document can have. A code is a promise: people allow it by name, and programs
// look for it. It keeps its meaning; what is no longer found leaves its number empty.
//
// 1xx reading files, 2xx references and names, 3xx shapes of objects, 4xx schemas, 5xx parameters, bodies and
// answers, 6xx paths and operations, 7xx security, 8xx defaults and examples.

export type Diagnostic = {
  /** for lists and for other programs: in a few words, without names of the document */
  readonly title: string;
} & (
  | {
      /** stops the generator, unless it is allowed */
      readonly severity: "error";
      /** what happens when it is allowed: nothing that protects an operation may be opened by that */
      readonly allowed: string;
    }
  | {
      readonly severity: "error";
      /** why it cannot be allowed */
      readonly never: string;
    }
  | {
      /** stops nothing; allowed, it is not said */
      readonly severity: "warning";
    }
);

const warning = <Title extends string>(title: Title) => ({ severity: "warning", title }) as const;

/** `allowed`: what then happens. */
const error = <Title extends string>(title: Title, allowed: string) =>
  ({ severity: "error", title, allowed }) as const;

/** `never`: why it cannot be allowed. */
const fault = <Title extends string>(title: Title, never: string) =>
  ({ severity: "error", title, never }) as const;

const unread = "what the file says is not known";
const guess = "which of the two is meant would be a guess, and one of them may protect something";
const anybody = "an operation could be open to anybody by it";

export const codes = {
  OAG101: fault("a file that cannot be read", unread),
  OAG102: fault("a document that is no object", unread),
  OAG103: fault("text that is not YAML", unread),
  OAG104: fault("text that is not JSON", unread),
  OAG105: fault("a name that stands twice in one object", guess),
  OAG106: warning("YAML that says nothing here, or not the same to everybody"),
  OAG107: fault("several documents in one file", guess),
  OAG108: fault("aliases of YAML that multiply", "the document would not end"),
  OAG109: fault("a property's name that is no text", unread),
  OAG110: fault(
    "a value that JSON does not have",
    "the served document, which is JSON, cannot say it",
  ),
  OAG111: warning("a merge key of YAML 1.1"),
  OAG112: fault("a version of Swagger that is not read", "it says everything in other words"),
  OAG113: fault("a document that does not say its version", "words mean something else in each"),
  OAG114: fault("a version of OpenAPI that is not read", "words mean something else in each"),
  OAG115: fault("bytes that are not UTF-8", unread),
  OAG116: fault("an alias of YAML that leads nowhere", unread),
  OAG117: warning("a document of Swagger 2.0"),
  OAG118: fault("a document of Swagger 2.0 that cannot be converted", unread),
  OAG119: fault("a document that is too deep", "what reads and writes it would end with it"),

  OAG201: error(
    "a reference to nothing",
    "a schema takes any value in its place; anything else that refers to nothing is left out",
  ),
  OAG202: error(
    "a reference to an anchor that is nowhere",
    "the schema takes any value in its place",
  ),
  OAG203: fault(
    "a reference to another machine",
    "nothing is ever fetched; --copy names a file that stands for it",
  ),
  OAG204: fault("a reference to a file that cannot be read", unread),
  OAG205: error(
    "a reference to something of another kind",
    "a schema takes any value in its place; anything else is left out",
  ),
  OAG206: fault("a $ref that is no text", "it leads nowhere"),
  OAG207: warning("a field beside a $ref"),
  OAG208: error(
    "a schema that leads back to itself",
    "the reference that closes the circle says nothing",
  ),
  OAG209: error("an $id that is no reference", "the schema has no name"),
  OAG210: error("an $id with a fragment", "the schema has no name"),
  OAG211: error("an $id that names two schemas", "the first of them has the name"),
  OAG212: error("a name that no anchor can have", "nothing is called so"),
  OAG213: error("an anchor that stands twice", "the first of them has the name"),
  OAG214: fault("a $dynamicRef with too many meanings", "the generated code would not end"),
  OAG215: error("a mapping to a component that is nowhere", "no schema belongs to that tag"),
  OAG216: fault(
    "a reference of another kind that leads back to itself",
    "nothing stands at its end",
  ),
  OAG217: fault("a $self that is no reference", "what references are relative to is not known"),
  OAG218: fault("a $self with a fragment", "what references are relative to is not known"),
  OAG219: fault("a media type that stands in itself", "nothing stands at its end"),
  OAG220: warning("a $ref where OpenAPI knows none"),
  OAG221: fault("references that lead on and on", "what follows them would end with them"),

  OAG301: error(
    "a field that the object does not have",
    "it is left out, of the served document too",
  ),
  OAG302: fault("a field that is missing", "the object means nothing without it"),
  OAG303: error("a field of another version of OpenAPI", "it counts as in that version"),
  OAG304: error(
    "a value of the wrong type",
    "a number, true or false counts in or out of quotes; anything else is left out, of the served document too",
  ),
  OAG305: fault("a value that is none of those allowed", "what was meant would be a guess"),
  OAG306: error("a text for people that is missing", "it is empty"),
  OAG307: fault("an object of OpenAPI that is no object", "what it was to say is not there"),
  OAG308: fault("fields beside the object that they belong in", "what was meant would be a guess"),
  OAG309: warning("fields that are not to stand side by side"),
  OAG310: fault("a part of Swagger 2.0 that is not what it has to be", unread),

  OAG401: error("a type that does not exist", "the schema does not say its type"),
  OAG402: error("a list of types in OpenAPI 3.0", "it counts as in OpenAPI 3.1"),
  OAG403: error("an empty list of types", "the schema does not say its type"),
  OAG404: error("a type that is named twice", "it counts once"),
  OAG405: warning("a word that is no keyword"),
  OAG406: warning("a keyword of another type"),
  OAG407: warning("a keyword without the one that it needs"),
  OAG408: error("a combination of no schemas", "it is left out, of the served document too"),
  OAG409: warning("content inside a text"),
  OAG410: warning("a pattern that only works without the unicode flag"),
  OAG411: error(
    "a pattern that is no regular expression",
    "it is left out, of the served document too: texts are not held against it",
  ),
  OAG412: warning("bounds that no value can keep"),
  OAG413: error(
    "an exclusive bound as another version writes it",
    "it counts as in that version: true beside a bound, or the bound itself",
  ),
  OAG414: error("a multipleOf that is not above 0", "it is left out, of the served document too"),
  OAG415: warning("an empty enum"),
  OAG416: warning("a value that stands in the enum twice"),
  OAG417: warning("a format that is not checked"),
  OAG418: warning("nullable in OpenAPI 3.1"),
  OAG419: warning("a nullable that changes nothing"),
  OAG420: warning("a discriminator that has nothing to choose from"),
  OAG421: warning("a discriminator on a parent"),
  OAG422: error(
    "another language of schemas",
    "its words are read as those of JSON Schema 2020-12, and it is not named in the served document",
  ),
  OAG423: fault(
    "a vocabulary that nobody here knows",
    "the language itself wants to be refused by those who do not know it",
  ),
  OAG424: warning("dependencies of draft 7"),
  OAG425: warning("a defaultMapping to none of the alternatives"),
  OAG426: error("the type null in OpenAPI 3.0", "it counts as in OpenAPI 3.1"),
  OAG427: warning("a required name that cannot be there"),
  OAG428: warning("a pattern that can keep a server busy"),

  OAG501: warning("a header that cannot be a parameter"),
  OAG502: error(
    "a parameter that needs one of schema and content",
    'without both it is any text; of both "content" counts',
  ),
  OAG503: error(
    "a style that does not fit the place",
    "the parameter has the usual style of its place",
  ),
  OAG504: error("a path parameter that is not required", "it is required all the same"),
  OAG505: warning("lists and objects that the style cannot write"),
  OAG506: error("a style beside content", "it is not looked at"),
  OAG507: error(
    "a style that does not fit the schema",
    "the parameter has the usual style of its place",
  ),
  OAG508: error("a parameter that is listed twice", "the first of them counts"),
  OAG509: fault("a field that the whole query does not have", "what was meant would be a guess"),
  OAG510: fault("a whole query without one media type", "how it is read would be a guess"),
  OAG511: fault("a query that is multipart", "no query can be written so"),
  OAG512: fault("two parameters for the whole query", "which of them counts would be a guess"),
  OAG513: fault("the whole query beside parts of it", "which of them counts would be a guess"),
  OAG514: warning("a collectionFormat without a style"),
  OAG520: error("a request body without a media type", "the operation takes no body"),
  OAG521: error("a media type that stands twice", "the first of them counts"),
  OAG522: warning("media types that differ in parameters only"),
  OAG523: error("a name that is no media type", "that content is left out"),
  OAG524: warning("a schema that is not looked at"),
  OAG525: warning("an encoding that is not honoured"),
  OAG526: fault(
    "a stream that is not said as it must be",
    "the word is one of this generator: who writes it can correct it",
  ),
  OAG527: warning("a schema beside that of the items"),
  OAG528: warning("the schema of data in the place of an event"),
  OAG529: warning("an encoding of parts by their position"),
  OAG530: warning("a schema of items where nothing has items"),
  OAG540: warning("an operation that documents no answer"),
  OAG541: error("a name that is no status", "that answer is left out"),
  OAG542: warning("content of an answer that has no body"),
  OAG543: fault(
    "statuses of default that are none",
    "the word is one of this generator: who writes it can correct it",
  ),
  OAG544: fault(
    "a status of default that has an answer of its own",
    "the word is one of this generator: who writes it can correct it",
  ),

  OAG601: warning("a path that clients end early"),
  OAG602: fault("a path that does not begin with a slash", "no request can have such a path"),
  OAG603: fault("braces that do not match", "what is a parameter would be a guess"),
  OAG604: fault("two parameters with nothing between", "where one ends would be a guess"),
  OAG605: error(
    "two paths that are one",
    "of two operations with one method the first counts, and the other is left out",
  ),
  OAG606: warning("two paths that are one, with other methods"),
  OAG607: error("a name in the path without a parameter", "it is any text that is not empty"),
  OAG608: warning("a path parameter without a place"),
  OAG609: error(
    "a path that names a parameter twice",
    "both places have to hold the same text; any other path is not found",
  ),
  OAG610: warning("an operation without operationId"),
  OAG611: error("an operationId that is taken", "the later operation is called by method and path"),
  OAG612: fault(
    "a method that has a field of its own",
    "which of two operations counts would be a guess",
  ),
  OAG613: fault("a name that is no method", "no request can have such a method"),
  OAG614: warning("a method that Node refuses"),
  OAG615: warning("a tag that is described twice"),
  OAG616: error("a tag below one that is nowhere", "it stands below none"),
  OAG617: error("a tag that stands below itself", "the served document says so all the same"),
  OAG618: fault("a server whose path cannot be told", "nobody knows which paths requests have"),
  OAG619: fault("a base path of a server that is nowhere", "what was meant would be a guess"),
  OAG620: fault(
    "operations that are one path below their servers",
    "which of the two is meant would be a guess",
  ),

  OAG701: error(
    "a security scheme that is nowhere",
    "nobody can meet a requirement that names it; where there is no other, everybody is answered 501",
  ),
  OAG702: fault("a security scheme that lacks what its type needs", anybody),
  OAG703: fault("a field that may be meant as security", anybody),
  OAG704: fault("security that is no list of requirements", anybody),
  OAG705: fault("a requirement of something that is no scheme", anybody),
  OAG706: error(
    "a flow of OAuth without scopes",
    "it lists none; what operations ask for stays as it is",
  ),
  OAG707: error(
    "a requirement with nothing in the place of its scopes",
    "no scopes are asked for; who calls has to meet the scheme all the same",
  ),

  OAG801: error("a default that is used and does not fit", "there is no default"),
  OAG802: warning("a default that is not used and does not fit"),
  OAG803: warning("an example that does not fit"),
  OAG804: warning("a serialized example that stands for something else"),
} as const satisfies Readonly<Record<`OAG${number}`, Diagnostic>>;

export type Code = keyof typeof codes;

type CodeOf<Severity extends Diagnostic["severity"]> = {
  [One in Code]: (typeof codes)[One]["severity"] extends Severity ? One : never;
}[Code];

export type ErrorCode = CodeOf<"error">;
export type WarningCode = CodeOf<"warning">;

/** The table, for codes that are known only when it runs. */
export const diagnostics: Readonly<Record<Code, Diagnostic>> = { ...codes };

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text);
}

/** What happens when it is allowed; undefined for what cannot be, and for warnings. */
export function consequenceOf(code: Code): string | undefined {
  const one = diagnostics[code];
  return "allowed" in one ? one.allowed : undefined;
}
