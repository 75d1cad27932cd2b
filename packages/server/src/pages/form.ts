import type { PageData, PageDone, PageState } from '@tollgate/contract/pages'
import type { Visit } from './visit.ts'

/** The result of a form: a redirect, another page, or the same page with a message. */
export type Outcome =
  | { readonly to: string }
  | { readonly page: PageData; readonly refresh: string }
  | { readonly state: PageState }

/** The fields of a posted form. */
export type Values = Readonly<Record<string, string>>

export type Form = {
  /** The routes of the pages that carry the form. */
  readonly pages: readonly string[]
  /** Fields that a refused form shows again, by name or by prefix (`role.`); never a password. */
  readonly kept: readonly string[]
  /** Makes the same calls as a client of the API. */
  readonly submit: (visit: Visit, values: Values) => Promise<Outcome>
}

/** A form as a row of its table. */
export const form = (pages: Form['pages'], kept: Form['kept'], submit: Form['submit']): Form => ({
  pages,
  kept,
  submit,
})

/** A refusal that comes from no call: the form shows its text. */
export class FormRefused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** The value of a field that may not be empty. */
export function required(value: string | undefined, refusal: string): string {
  if (!value) throw new FormRefused(refusal)
  return value
}

/** The name in a form. */
export const nameIn = ({ name }: Values): string => required(name?.trim(), 'NAME_REQUIRED')

/** The address in a field. */
export function requiredAddress(value: string | undefined, missing = 'INVALID_EMAIL'): string {
  const address = required(value?.trim(), missing)
  if (!isAddress(address)) throw new FormRefused('INVALID_EMAIL')
  return address
}

/**
 * The format of an address after the calls' normalization; the calls validate the rest (specification, section 5).
 * Texts above their length limit fail at once.
 */
export const isAddress = (text: string): boolean =>
  text.length <= 512 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.normalize('NFKC'))

/** A form of one page that acts and returns to the page, which reports what was done. */
export const acting = (
  page: string,
  what: PageDone,
  kept: Form['kept'],
  act: (visit: Visit, values: Values) => Promise<unknown>,
): Form =>
  form([page], kept, async (visit, values) => {
    await act(visit, values)
    return done(pathOf(visit), what)
  })

/** The path of the form's page, spelled as its route unless that has parameters. */
export const pathOf = ({ route, url }: Visit): string => (route.includes(':') ? url.pathname : route)

/** The password field appears when the session is not fresh; the right password renews it. */
export async function renewSession(visit: Visit, password: string | undefined): Promise<void> {
  if (password === undefined) return
  await visit.call('verifyPassword', { body: { password: required(password, 'PASSWORD_REQUIRED') } })
}

/** Redirects to a page that reports what was done. */
export const done = (path: string, what: PageDone): Outcome => ({ to: `${path}?done=${what}` })

/** A path with query parameters; empty ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  return search.size > 0 ? `${path}?${search}` : path
}
