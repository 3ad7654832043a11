// For whom a run says what it has to say: people, programs, or GitHub's lists of problems.

export const formats = ["text", "json", "github"] as const;
export type Format = (typeof formats)[number];
