import { createSecrets } from '../../token.ts'

/** Used only here: every other input of a keyed hash is short or starts differently. */
const marked = 'tollgate export'

/** An export's marks of its installation's secrets: enough to recognize a secret, not to derive it. */
export const secretMarksOf = (secrets: readonly string[]): string[] =>
  secrets.map((secret) => createSecrets(secret).keyedHash(marked))

/** Whether every secret of an export is among these, so that its sealed and signed data stays valid. */
export function knowsSecrets(marks: readonly string[], [secret = '', ...previous]: readonly string[]): boolean {
  const secrets = createSecrets(secret, previous)
  return marks.every((mark) => secrets.hasKeyedHash(marked, mark))
}
