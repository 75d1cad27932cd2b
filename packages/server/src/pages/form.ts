import type { PageData, PageDone, PageState } from '@tollgate/contract/pages'
import type { Visit } from './visit.ts'

/**
 * What a form leads to: the next page's address, a page in its place, the same page with something to say, or a refusal that
 * no call would give.
 */
export type Outcome =
  | { readonly to: string }
  | { readonly page: PageData; readonly refresh: string }
  | { readonly state: PageState }
  | { readonly refused: string }

export type Posted = { readonly visit: Visit; readonly values: Readonly<Record<string, string>> }

export type Form = {
  /** The pages that carry it, by their routes. */
  readonly pages: readonly string[]
  /** Fields that come back with the page when the form is refused, or what their names begin with (`role.`); never a password. */
  readonly kept: readonly string[]
  /** Sends it as the API would be called. */
  readonly submit: (posted: Posted) => Promise<Outcome>
}

/** Back to a page, which says what was done. */
export const done = (path: string, what: PageDone): Outcome => ({ to: `${path}?done=${what}` })

/** A path with query parameters; those without a value are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  return search.size > 0 ? `${path}?${search}` : path
}
