import type { AuthCallName, authCalls } from '../calls.ts'
import type { PageDone, PageForm } from '../pages.ts'
import type { Answer, Body, Query } from '../types.ts'
import type { Paths } from './paths.ts'

/** The values of a form's fields, hidden ones and that of the pressed button included. A cleared checkbox has none. */
export type Values = Readonly<Partial<Record<string, string>>>

/** Where a form is sent, and by whom. */
export type At = {
  /** The addresses of the pages. */
  readonly paths: Paths
  /** The page to go to in the end, checked by the server. */
  readonly callbackURL?: string | undefined
  /** Whether a script sends the form. Its client follows the redirect of an answer by itself. */
  readonly isScripted: boolean
  /** Whether a script stays on the page after a success, so that its client may not leave it. */
  readonly keepsPage?: boolean
  /** The page that carries the form; a script names it where a form stands on several. */
  readonly page?: string
  /** Whether people sign in with usernames too. */
  readonly username?: boolean | undefined
  readonly passwordRules: { readonly min: number; readonly max: number }
  /** Length limits of a username. With a rule of its own (`custom`) only the server knows the characters. */
  readonly usernameRules: { readonly min: number; readonly max: number; readonly custom?: boolean }
  /** The signed-in user; null for a visitor. A script leaves it out of forms that only signed-in users see. */
  readonly user?: { readonly email: string; readonly emailVerified: boolean; readonly username?: string | null } | null
  /** Whether an administrator acts as the user. */
  readonly isImpersonated?: boolean
  /** The organization of the page. */
  readonly organization?: { readonly id: string; readonly slug: string }
  /** The pending invitation that the form is about. */
  readonly invitation?: { readonly email: string; readonly role: string; readonly teamId: string | null }
  /** The metadata of an editor, which only a script has. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The file of a form that takes one. */
  readonly file?: Blob | undefined
  /** Whether a text is the word that confirms a deletion, in the language of the page. */
  readonly isDeletionWord?: (typed: string) => boolean
}

/** Checks one field before the form is sent. Answers the code of what is wrong with it. */
export type Check = (value: string, values: Values, at: At) => string | undefined

/** What follows when the call of a form succeeded. */
export type After = {
  /** The notice of the form. */
  readonly done?: PageDone
  /** Values that the notice names. */
  readonly values?: Readonly<Record<string, string>>
  /** The address to go to. With a notice, only a form without a script goes there; by default to its own page. */
  readonly to?: string
  /** Whether a form without a script comes back in place, because not all of it was done. */
  readonly stays?: boolean
  /** The organization to go to, in place of an address. */
  readonly organizationId?: string
  /** The way to sign in that this browser remembers as the last used one. */
  readonly method?: string
  /** The provider that the address leads to. Without a script a page of ours stands before it. */
  readonly provider?: string
}

/** A call's input: its body, or for a GET its query; for an upload its query with the file. */
export type FormInput<Call extends AuthCallName> = (typeof authCalls)[Call] extends { readonly takesFile: true }
  ? { readonly file: Blob | undefined } & ([Query<Call>] extends [never] ? unknown : Query<Call>)
  : [Body<Call>] extends [never]
    ? [Query<Call>] extends [never]
      ? undefined
      : Query<Call>
    : Body<Call>

/**
 * One form of the pages. The server reads it for a form that is posted without a script, and the component for one that a
 * script sends. So both make the same calls with the same input, check the same fields, and go on to the same page.
 */
export type Form<Call extends AuthCallName = AuthCallName> = {
  readonly name: PageForm
  /** The routes of the pages that carry the form. */
  readonly pages: readonly string[]
  /** The calls that the form may make. It makes the first unless `choose` names another. */
  readonly calls: readonly Call[]
  choose?(values: Values, at: At): Call
  /** Each field that an error can be about, in the order of the page, with its check. */
  readonly fields: Readonly<Record<string, Check>>
  /** Fields that a refused form shows again, by name or by prefix (`role.`); never a password. */
  readonly kept: readonly string[]
  /** The field with the file that the form uploads. Without a script it is posted as `multipart/form-data`. */
  readonly takesFile?: string
  /** Whether the server must know the user. */
  readonly usesUser?: boolean
  /** Whether the form acts in the organization of its page. */
  readonly inOrganization?: boolean
  /** Whether the form is about a pending invitation, by its field `invitationId`. */
  readonly usesInvitation?: boolean
  /** What follows without a call. Answers nothing if the call is to be made. */
  instead?(values: Values, at: At): After | undefined
  /** Whether a `password` in the form is verified first, which makes an old session fresh again. */
  readonly renewsSession?: boolean
  input(values: Values, at: At): FormInput<Call>
  after(answer: Answer<Call>, values: Values, at: At): After
}

/** Defines one form. */
export const defineForm = <Call extends AuthCallName, Name extends PageForm>(
  form: Form<Call> & { readonly name: Name },
): Form<Call> & { readonly name: Name } => form

/** For a call without input. */
export const noInput = () => undefined

/** The provider's address in an answer. Without a script a call always answers one, because the form sent no token. */
export const urlIn = (answer: object): string => ('url' in answer && typeof answer.url === 'string' ? answer.url : '')
