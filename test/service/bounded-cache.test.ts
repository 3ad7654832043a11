import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedCache } from "../../service/bounded-cache.ts";

const key = fc.integer({ min: 0, max: 9 });
const step = fc.oneof(
  fc.record({ do: fc.constant("get" as const), key }),
  fc.record({ do: fc.constant("set" as const), key, value: fc.integer() }),
  fc.record({ do: fc.constant("delete" as const), key }),
);

test("what has not been asked for longest goes first, and nothing else", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 200 }),
      (most, steps) => {
        const cache = new BoundedCache<number, number>(most);
        // The last one was asked for last.
        let kept: (readonly [number, number])[] = [];
        for (const one of steps) {
          const found = kept.find(([name]) => name === one.key);
          const others = kept.filter(([name]) => name !== one.key);
          if (one.do === "get") {
            expect(cache.get(one.key)).toBe(found?.[1]);
            if (found !== undefined) kept = [...others, found];
          } else if (one.do === "set") {
            const gone = cache.set(one.key, one.value);
            kept = [...others, [one.key, one.value]];
            expect(gone).toBe(kept.length > most ? kept.shift()?.[0] : undefined);
          } else {
            cache.delete(one.key);
            kept = others;
          }
          expect(cache.size).toBe(kept.length);
        }
        for (const [name, value] of kept) expect(cache.get(name)).toBe(value);
      },
    ),
  );
});
