/** Cached answers with their JSON, which is written once. */
const texts = new WeakMap<object, string>()

/** Callers do not change the answer after this. */
export function keepText<T extends object>(answer: T): T {
  texts.set(answer, JSON.stringify(answer))
  return answer
}

/** An answer as JSON; omits `undefined` members. */
export const toText = (answer: unknown): string =>
  (typeof answer === 'object' && answer !== null ? texts.get(answer) : undefined) ?? JSON.stringify(answer)
