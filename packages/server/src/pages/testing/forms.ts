import type { TestAnswer, Visitor } from '../../testing.ts'

/** Sends forms and reads pages as a browser without JavaScript does. */

export const send = (visitor: Visitor, path: string, values: Record<string, string>): Promise<TestAnswer> =>
  visitor.request('POST', path, {
    raw: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

export const page = (visitor: Visitor, path: string): Promise<TestAnswer> => visitor.request('GET', path)

/** The props that a page hydrates from. */
export const dataOf = ({ text }: TestAnswer) =>
  JSON.parse(/<script id="props" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')?.data

/** The state of a page's form. */
export const stateOf = (answer: TestAnswer) => dataOf(answer)?.state

/** Status and target of a redirect. */
export const location = ({ status, headers }: TestAnswer): [number, string | null] => [status, headers.get('location')]
