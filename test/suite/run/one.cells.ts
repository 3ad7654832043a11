import { test } from "vitest";
import { noteMet } from "../../../generator/suite/noted.ts";

test("makes", () => {
  noteMet({ operation: "makeThing", status: 201 });
});

test("twice", () => {
  noteMet({ operation: "makeThing", status: 409, code: "taken" });
});
