import type { PageData, PageDone, PageState } from '@tollgate/contract/pages'
import type { Visit } from './visit.ts'

/**
 * The result of a form: a redirect, another page, the same page with a message, or a refusal that comes from no call.
 */
export type Outcome =
  | { readonly to: string }
  | { readonly page: PageData; readonly refresh: string }
  | { readonly state: PageState }
  | { readonly refused: string }

export type Posted = { readonly visit: Visit; readonly values: Readonly<Record<string, string>> }

export type Form = {
  /** The routes of the pages that carry the form. */
  readonly pages: readonly string[]
  /** Fields that a refused form shows again, by name or by prefix (`role.`); never a password. */
  readonly kept: readonly string[]
  /** Makes the same calls as a client of the API. */
  readonly submit: (posted: Posted) => Promise<Outcome>
}

/** Redirects to a page that reports what was done. */
export const done = (path: string, what: PageDone): Outcome => ({ to: `${path}?done=${what}` })

/** A path with query parameters; empty ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  return search.size > 0 ? `${path}?${search}` : path
}
