import { expect, test } from "vitest";
import { noteMet } from "../../../generator/suite/noted.ts";

const answers = (process.env["ANSWERS"] ?? "").split(" ");

test("notes what a judge found, which is no fault of the answer while the test passes", () => {
  noteMet({ operation: "makeThing", status: 201, problem: "a fault that was put there" });
});

test("answers", () => {
  if (answers.includes("full")) {
    noteMet({ operation: "makeThing", status: 409, code: "full" });
  }
  if (answers.includes("odd")) {
    noteMet({ operation: "makeThing", status: 409, code: "odd" });
  }
  if (answers.includes("bad")) {
    noteMet({ operation: "makeThing", status: 201, problem: "no id", repeat: "curl things" });
    expect.fail("no id");
  }
});
