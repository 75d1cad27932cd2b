/** Cached answers with their JSON, which the first response writes. */
const kept = new WeakMap<object, { text: string | undefined }>()

/** Marks a cached answer: its JSON is written once. Callers do not change the answer after this. */
export function keepText<T extends object>(answer: T): T {
  if (!kept.has(answer)) kept.set(answer, { text: undefined })
  return answer
}

const asItIs = (answer: unknown): unknown => answer

/** An answer as JSON in its API's spelling; omits `undefined` members. */
export function toText(answer: unknown, encode = asItIs): string {
  const known = typeof answer === 'object' && answer !== null ? kept.get(answer) : undefined
  if (!known) return JSON.stringify(encode(answer))
  known.text ??= JSON.stringify(encode(answer))
  return known.text
}
