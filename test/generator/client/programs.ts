// Programs that use the client of the shop: one that is right, and some of which each has one mistake.

const start = `import * as shop from "./client/client.ts";
const client: shop.Client = shop.createClient({ baseUrl: "https://shop.example" });
`;

/** What the types say, and what the compiler can follow. */
export const right = `${start}
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type IsAny<T> = 0 extends 1 & T ? true : false;
function is<_Right extends true>(): void {}

export async function bodies(): Promise<void> {
  const pet = await client.pets.getPet({ pet_id: "1" });
  is<Same<typeof pet, shop.types.Pet>>();
  const pets = await client.pets.listPets();
  is<Same<typeof pets, shop.types.Pet[]>>();
  const none = await client.pets.putPet({ pet_id: "1", id: "1" }, { signal: AbortSignal.timeout(9) });
  is<Same<typeof none, undefined>>();
  const has = await client.pets.hasPet({ pet_id: "1" });
  is<Same<typeof has, undefined>>();
  const file = await client.files.getFile({ name: "a" });
  is<Same<typeof file, Blob>>();
  const text = await client.files.getNamed({ name: "a", ending: "b" });
  is<Same<typeof text, string>>();
  const rows = await client.files.events();
  is<Same<typeof rows, ReadableStream<Uint8Array> | null>>();
  const any = await client.files.any_();
  is<Same<typeof any, shop.types.Pet>>();
  const patched = await client.pets.patchPet({ pet_id: "1" });
  is<Same<typeof patched, shop.types.Pet | undefined>>();
  is<Same<IsAny<typeof patched>, false>>();
}

export async function givens(): Promise<void> {
  await client.pets.listPets({ limit: "1" }, { headers: { "X-A": "b" } });
  await client.pets.listPets(undefined, {});
  await client.pets.patchPet({ pet_id: "1", age: null, name: "a" });
  const order = await client.orders.createOrder({ pet: "1", token: "t" }, { idempotencyKey: "k" });
  is<Same<typeof order.id, string>>();
  await client.orders.cancelOrder({ id: "1" });
  await client.orders.listParts({ path: { id: "1" }, query: { id: "1" } });
  for (const body of ["a", new Uint8Array(1), new Blob([])]) await client.files.putFile({ name: "a", body });
  is<IsAny<Parameters<shop.Client["pets"]["getPet"]>[0]> extends false ? true : false>();
}

export async function pages(): Promise<void> {
  for await (const page of client.orders.listOrders.pages({ limit: "1" })) {
    is<Same<typeof page.orders, shop.types.Order[]>>();
  }
  for await (const one of client.orders.listOrders.items()) is<Same<typeof one, shop.types.Order>>();
  for await (const one of client.pets.listPets.items()) is<Same<typeof one, shop.types.Pet>>();
}

/** Every answer is a case. */
export async function answers(): Promise<string> {
  const answer = await client.pets.getPet.answer({ pet_id: "1" });
  switch (answer.status) {
    case 200:
      return answer.body.id;
    case 404:
      is<Same<typeof answer.body.code, "not_found">>();
      return answer.body.message;
    case 409:
      is<Same<typeof answer.body.code, "taken" | "gone">>();
      return answer.body.code;
    case 500:
    case 503:
      is<Same<typeof answer.body.code, "internal_error" | "unavailable">>();
      return answer.headers.get("Retry-After") ?? "";
  }
}

/** So is every code. */
export async function codes(): Promise<string> {
  try {
    return (await client.pets.getPet({ pet_id: "1" })).id;
  } catch (error) {
    if (error instanceof shop.UnexpectedResponseError) return error.text;
    if (!client.pets.getPet.isError(error)) throw error;
    is<Same<typeof error.status, 404 | 409 | 500 | 503>>();
    switch (error.code) {
      case "not_found":
        is<Same<typeof error.status, 404>>();
        return error.body.message;
      case "taken":
      case "gone":
        is<Same<typeof error.status, 409>>();
        return error.headers.get("X") ?? "";
      case "internal_error":
      case "unavailable":
        return error.operationId;
    }
  }
}

export async function ranges(): Promise<void> {
  const answer = await client.pets.putPet.answer({ pet_id: "1", id: "1" });
  if (answer.status === 418) is<Same<typeof answer.body.code, "invalid" | "not_found">>();
  else if (answer.status === 304) is<Same<typeof answer.body, undefined>>();
  const failure: shop.FailureOf<shop.GetPetAnswer>["status"] = 404;
  const thrown = (error: shop.ErrorOf<shop.GetPetAnswer>): number => error.status;
  void [failure, thrown];
}
`;

interface Mistake {
  readonly promise: string;
  /** of a function that may wait */
  readonly text: string;
  readonly error: RegExp;
}

export const mistakes: readonly Mistake[] = [
  {
    promise: "a case that is missing",
    text: `export async function wrong(): Promise<string> {
  const answer = await client.pets.getPet.answer({ pet_id: "1" });
  switch (answer.status) {
    case 200: return answer.body.id;
    case 404: case 409: case 500: return answer.body.message;
  }
}`,
    error: /TS2366/,
  },
  {
    promise: "a code that is missing",
    text: `export function wrong(error: unknown): string {
  if (!client.pets.getPet.isError(error)) throw error;
  switch (error.code) {
    case "not_found": case "taken": case "internal_error": case "unavailable": return error.code;
  }
}`,
    error: /TS2366/,
  },
  {
    promise: "a code of another operation",
    text: `export const wrong = (error: unknown): boolean =>
  client.pets.getPet.isError(error) && error.code === "invalid";`,
    error: /TS2367.*"gone.*internal_error.*not_found.*taken.*unavailable.*invalid/,
  },
  {
    promise: "a status that the contract does not have",
    text: `export const wrong = async (): Promise<boolean> =>
  (await client.pets.getPet.answer({ pet_id: "1" })).status === 418;`,
    error: /TS2367.*200 \| 404 \| 409 \| 500 \| 503/,
  },
  {
    promise: "the body of a success, before it is known to be one",
    text: `export const wrong = async (): Promise<string> =>
  (await client.pets.getPet.answer({ pet_id: "1" })).body.id;`,
    error: /TS2339.*'id'/,
  },
  {
    promise: "a field that is not there",
    text: `export const wrong = async (): Promise<unknown> =>
  (await client.pets.getPet({ pet_id: "1" })).nme;`,
    error: /TS2551.*'nme'.*Did you mean 'name'/,
  },
  {
    promise: "an argument that is not there",
    text: `await client.pets.getPet({ pet_id: "1", petId: "1" });`,
    error: /TS2561.*'petId' does not exist in type 'GetPetArguments'.*'pet_id'/,
  },
  {
    promise: "one without a body that is required",
    text: `await client.orders.createOrder({ pet: "1" });`,
    error: /TS2741.*'token' is missing.*'NewOrder'/,
  },
  {
    promise: "no argument where one is required",
    text: `await client.pets.getPet();`,
    error: /TS2554/,
  },
  {
    promise: "an argument without its group",
    text: `await client.orders.listParts({ id: "1" });`,
    error: /TS2353.*'id' does not exist in type 'ListPartsArguments'/,
  },
  {
    promise: "an argument where none is taken",
    text: `await client.files.events({ a: "1" });`,
    error: /TS2322/,
  },
  {
    promise: "an argument of another type",
    text: `await client.pets.listPets({ limit: 1 });`,
    error: /TS2322.*'number' is not assignable to type 'string'/,
  },
  {
    promise: "a key where the contract has none",
    text: `await client.pets.listPets({}, { idempotencyKey: "k" });`,
    error: /TS2353.*'idempotencyKey'.*'CallOptions'/,
  },
  {
    promise: "what only answers have",
    text: `await client.orders.createOrder({ pet: "1", token: "t", id: "1" });`,
    error: /TS2353.*'id'.*'NewOrder'/,
  },
  {
    promise: "what only requests have",
    text: `export const wrong = async (): Promise<unknown> =>
  (await client.orders.createOrder({ pet: "1", token: "t" })).token;`,
    error: /TS2339.*'token'.*'Order'/,
  },
  {
    promise: "pages of what has none",
    text: `client.pets.getPet.pages({ pet_id: "1" });`,
    error: /TS2339.*'pages'.*'Call<GetPetArguments, GetPetAnswer, CallOptions>'/,
  },
  {
    promise: "an operation that is not there",
    text: `client.pets.getPets;`,
    error: /TS2551.*'PetsOperations'/,
  },
  {
    promise: "a client without its server",
    text: `void client;
shop.createClient({});`,
    error: /TS2741.*'baseUrl' is missing.*'ClientOptions'/,
  },
].map((one) => ({ ...one, text: `${start}${one.text}\nexport {};\n` }));
