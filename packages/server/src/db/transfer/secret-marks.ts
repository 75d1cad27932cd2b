import { createSecrets } from '../../token.ts'

/** Hashed for nothing but this: whatever else has a keyed hash is short, or has another beginning. */
const marked = 'tollgate export'

/** What an export says of each secret that its installation has: enough to know it again, nothing to find it out by. */
export const secretMarksOf = (secrets: readonly string[]): string[] =>
  secrets.map((secret) => createSecrets(secret).keyedHash(marked))

/** Whether every secret that an export was made with is among these, so that what they have sealed and signed stays good. */
export function knowsSecrets(marks: readonly string[], [secret = '', ...previous]: readonly string[]): boolean {
  const secrets = createSecrets(secret, previous)
  return marks.every((mark) => secrets.hasKeyedHash(marked, mark))
}
