// What is looked into, one after the other.

type Finding = () => readonly string[] | Promise<readonly string[]>;

/** By what is looked into: what cannot be is a fault as well, and takes nothing away from what the others find. */
export async function findAll(
  findings: Readonly<Record<string, Finding>>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [what, find] of Object.entries(findings)) {
    try {
      faults.push(...(await find()));
    } catch (error) {
      faults.push(`${what} could not be judged: ${String(error)}`);
    }
  }
  return faults;
}
