/** Answers that go out again as they are, with their JSON, which is written once. */
const texts = new WeakMap<object, string>()

/** Whoever asks for it changes the answer no more. */
export function keepText<T extends object>(answer: T): T {
  texts.set(answer, JSON.stringify(answer))
  return answer
}

/** An answer as JSON; `undefined` members are left out. */
export const toText = (answer: unknown): string =>
  (typeof answer === 'object' && answer !== null ? texts.get(answer) : undefined) ?? JSON.stringify(answer)
