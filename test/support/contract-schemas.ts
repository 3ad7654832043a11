// What the written document says of a value.

import { buildJudges } from "../../generator/suite/schemas.ts";
import { document } from "./contract-document.ts";

export type { Finding } from "../../generator/suite/schemas.ts";

export const judges = buildJudges(document);
export const { judgeAt, judgeAnswerAt } = judges;
