import type { PageData, PageState } from '@tollgate/contract/pages'
import type { HandledCall } from '../features/identity/auth-handler.ts'
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
  /** The call to which it uploads a file. */
  readonly takesFile?: HandledCall
  /** Makes the same calls as a client of the API. `file` is that of a form that takes one. */
  readonly submit: (visit: Visit, values: Values, file?: Blob) => Promise<Outcome>
}

/** A form as a row of its table. */
export const form = (pages: Form['pages'], kept: Form['kept'], submit: Form['submit']): Form => ({
  pages,
  kept,
  submit,
})

/** A refusal that comes from no call: of the form by a code, or of fields by a code for each. */
export class FormRefused extends Error {
  readonly state: Pick<PageState, 'code' | 'fields'>
  constructor(refused: string | Readonly<Record<string, string>>) {
    const isCode = typeof refused === 'string'
    super(isCode ? refused : Object.values(refused).join())
    this.state = isCode ? { code: refused } : { fields: refused }
  }
}

/** The value of a field that may not be empty. */
export function required(value: string | undefined, refusal: string): string {
  if (!value) throw new FormRefused(refusal)
  return value
}

/** The path of the form's page, spelled as its route unless that has parameters. */
export const pathOf = ({ route, url }: Visit): string => (route.includes(':') ? url.pathname : route)

/** The password field appears when the session is not fresh; the right password renews it. */
export async function renewSession(visit: Visit, password: string | undefined): Promise<void> {
  if (password === undefined) return
  await visit.call('verifyPassword', { body: { password: required(password, 'PASSWORD_REQUIRED') } })
}
