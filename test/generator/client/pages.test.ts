// From page to page: by the header Link, and by the contract's own links.

import { describe, expect, test } from "vitest";
import { nextLink } from "../../../generator/client/runtime/pages.ts";
import { generate } from "./both-sides.ts";
import { answered, jsonOf, shop } from "./shop.ts";

const generated = generate(shop);
const pet = (id: string) => ({ id });

async function all(items: AsyncIterable<unknown> | undefined): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const one of items ?? []) found.push(one);
  return found;
}

describe("by Link", () => {
  const pageOf = (id: string, link?: string) =>
    jsonOf(200, [pet(id)], link === undefined ? {} : { Link: link });

  test("each page is asked for when it is needed, up to the one without a next", async () => {
    const { client, requests } = await answered(generated, [
      pageOf("1", '<?cursor=a%2Fb>; rel="next"'),
      pageOf(
        "2",
        '<https://shop.example/v1/pets?cursor=c>; rel="last next", </v1/pets>; rel=first',
      ),
      pageOf("3", '<?cursor=b>; rel="prev"'),
    ]);
    const asked: number[] = [];
    const pages: unknown[] = [];
    for await (const page of client["pets"]?.["listPets"]?.pages({ limit: "1" }) ?? []) {
      asked.push(requests.length);
      pages.push(page);
    }
    expect(asked).toEqual([1, 2, 3]);
    expect(pages).toEqual([[pet("1")], [pet("2")], [pet("3")]]);
    expect(requests.map(({ url }) => url)).toEqual([
      "https://shop.example/v1/pets?limit=1",
      "https://shop.example/v1/pets?cursor=a%2Fb",
      "https://shop.example/v1/pets?cursor=c",
    ]);
  });

  test("items are those of all pages, and a page may have none", async () => {
    const { client } = await answered(generated, [
      pageOf("1", "<?cursor=a>; rel=next"),
      jsonOf(200, [], { Link: "<?cursor=b>; rel=next" }),
      pageOf("3"),
    ]);
    expect(await all(client["pets"]?.["listPets"]?.items())).toEqual([pet("1"), pet("3")]);
  });

  test("a page that is no list is none", async () => {
    const { client } = await answered(generated, [
      pageOf("1", "<?cursor=a>; rel=next"),
      jsonOf(200, { status: "maintenance" }),
    ]);
    await expect(all(client["pets"]?.["listPets"]?.items())).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      message: "listPets: 200, without the list of a page",
      status: 200,
      text: '{"status":"maintenance"}',
    });
  });

  test("another host is never asked", async () => {
    const { client, requests } = await answered(generated, [
      pageOf("1", "<https://evil.example/v1/pets?cursor=a>; rel=next"),
      pageOf("2"),
    ]);
    const headers = { Authorization: "Bearer secret" };
    expect((await all(client["pets"]?.["listPets"]?.items({}, { headers }))).length).toBe(2);
    expect(requests.map(({ url }) => new URL(url).host)).toEqual(["shop.example", "shop.example"]);
  });

  test.each(["<?limit=1>; rel=next", "<https://shop.example/v1/pets?limit=1>; rel=next"])(
    "%s, which leads back, ends",
    async (link) => {
      const { client, requests } = await answered(
        generated,
        Array.from({ length: 9 }, () => pageOf("1", link)),
      );
      const seen: unknown[] = [];
      const walk = async () => {
        for await (const one of client["pets"]?.["listPets"]?.items({ limit: "1" }) ?? [])
          seen.push(one);
      };
      await expect(walk()).rejects.toThrow("listPets: a page leads back to itself");
      expect(seen).toEqual([pet("1")]);
      expect(requests.length).toBe(2);
    },
  );

  test.each(["</v1/pets/page/2>; rel=next", "<http://[>; rel=next"])(
    "%s is told by no query",
    async (link) => {
      const { client } = await answered(generated, [pageOf("1", link)]);
      await expect(all(client["pets"]?.["listPets"]?.pages())).rejects.toThrow(
        "the next page is at",
      );
    },
  );

  test("what is no success is thrown where it comes", async () => {
    const { client, ResponseError } = await answered(generated, [
      pageOf("1", "<?cursor=a>; rel=next"),
      jsonOf(404, { code: "not_found", message: "No such cursor." }),
    ]);
    const seen: unknown[] = [];
    const walk = async () => {
      for await (const one of client["pets"]?.["listPets"]?.pages() ?? []) seen.push(one);
    };
    await expect(walk()).rejects.toThrow(ResponseError);
    expect(seen.length).toBe(1);
  });

  test("who stops is asked nothing more", async () => {
    const { client, requests } = await answered(
      generated,
      ["a", "b", "c"].map((one) => pageOf(one, `<?cursor=${one}>; rel=next`)),
    );
    for await (const _ of client["pets"]?.["listPets"]?.items() ?? []) break;
    expect(requests.length).toBe(1);
  });

  test.each<[string, string | undefined]>([
    ["", undefined],
    ['</a>; rel="prev"', undefined],
    ["</a>; rel=next", "/a"],
    ["</a>;rel=next;title=x", "/a"],
    ['</a>; REL = "NEXT"', "/a"],
    ['</a>; rel="prev up", </b>; rel="last next"', "/b"],
    ['</a>; title="a, <b>; rel=next"; rel=prev, </c?x=1,2>; rel=next', "/c?x=1,2"],
    ['</a>; title="; rel=next "; rel=prev', undefined],
    ['</a>; title="say \\"; rel=next"; rel=prev', undefined],
    ["</a>; rel=nextt, </b>; rev=next", undefined],
    ['</a>; rel="prev"; rel="next"', undefined],
    ["</a>, </b>; rel=next", "/b"],
    ["<>; rel=next", ""],
    ["/a; rel=next", undefined],
    ['</a>; rel="next', undefined],
  ])("%s", (header, target) => {
    expect(nextLink(header)).toBe(target);
  });
});

describe("by links of the contract", () => {
  test("to a cursor of the body", async () => {
    const { client, requests } = await answered(generated, [
      jsonOf(200, { orders: [pet("1")], next: "a b" }),
      jsonOf(200, { orders: [pet("2")], next: "" }),
    ]);
    expect(await all(client["orders"]?.["listOrders"]?.items({ limit: "1" }))).toEqual([
      pet("1"),
      pet("2"),
    ]);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      "?limit=1",
      "?limit=1&cursor=a%20b",
    ]);
  });

  test.each([null, undefined])("%s ends them", async (next) => {
    const { client, requests } = await answered(generated, [jsonOf(200, { orders: [], next })]);
    expect(await all(client["orders"]?.["listOrders"]?.pages())).toEqual([{ orders: [], next }]);
    expect(requests.length).toBe(1);
  });

  test("one that stays the same ends them", async () => {
    const { client, requests } = await answered(
      generated,
      Array.from({ length: 9 }, () => jsonOf(200, { orders: [], next: "a" })),
    );
    await expect(all(client["orders"]?.["listOrders"]?.pages())).rejects.toThrow(
      "listOrders: a page leads back to itself",
    );
    expect(requests.length).toBe(3);
  });

  test("to a header, into the group that has the argument", async () => {
    const { client, requests } = await answered(generated, [
      jsonOf(200, ["a"], { "X-Next": "2" }),
      jsonOf(200, ["b"]),
    ]);
    const given = { path: { id: "p" }, query: { id: "q" } };
    expect(await all(client["orders"]?.["listParts"]?.items(given))).toEqual(["a", "b"]);
    expect(requests.map(({ url }) => url)).toEqual([
      "https://shop.example/v1/orders/p?id=q",
      "https://shop.example/v1/orders/p?id=q&cursor=2",
    ]);
    expect(given).toEqual({ path: { id: "p" }, query: { id: "q" } });
  });
});
