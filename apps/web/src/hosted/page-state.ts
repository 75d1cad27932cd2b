import type { PageState } from '@tollgate/contract/pages'
import { errorTexts } from '@tollgate/react'

/** The fields of each form that a refusal can be about, as the forms of @tollgate/react name them. */
const formFields: Readonly<Record<string, readonly string[]>> = {
  'sign-in': ['email', 'password'],
  'sign-up': ['name', 'username', 'email', 'password'],
  'magic-link': ['email'],
  'magic-link-code': ['code'],
  'forgot-password': ['email'],
  'reset-password': ['newPassword'],
  profile: ['name', 'image', 'username', 'displayUsername'],
  'change-email': ['newEmail'],
  'change-password': ['currentPassword', 'newPassword'],
  'unlink-account': ['password'],
  'delete-account': ['confirmation', 'password'],
}

/** Moves a refusal to the field that it is about, where the form has that field; else it stands above the form. */
export function placed(state: PageState): PageState {
  const { code, message: _, ...rest } = state
  const candidates = code === undefined ? undefined : errorTexts[code]?.fields
  const field = candidates?.find((name) => formFields[state.form ?? '']?.includes(name))
  return code === undefined || field === undefined ? state : { ...rest, fields: { [field]: code } }
}
