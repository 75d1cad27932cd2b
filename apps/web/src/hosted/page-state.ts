import { formRows } from '@tollgate/contract/forms'
import type { PageState } from '@tollgate/contract/pages'
import { errorTexts, organizationErrorTexts } from '@tollgate/react'

/** The fields of each form that an error can refer to, as the forms of @tollgate/react name them. */
const formFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(formRows).map(({ name, fields }) => [name, Object.keys(fields)]),
)

/** Errors that only organization forms give. */
const furtherFields: Readonly<Record<string, readonly string[]>> = {
  CONFIRMATION_SLUG: ['confirmation'],
  EMAIL_REQUIRED: ['email', 'newEmail', 'emails'],
  ROLE_REQUIRED: ['role'],
}

/** Assigns an error to its field if the form has it; otherwise it appears above the form. */
export function placed(state: PageState): PageState {
  const { code, message: _, ...rest } = state
  const fields = formFields[state.form ?? '']
  if (code === undefined || fields === undefined) return state
  const about = furtherFields[code] ?? (organizationErrorTexts[code] ?? errorTexts[code])?.fields
  const field = about?.find((name) => fields.includes(name))
  return field === undefined ? state : { ...rest, fields: { [field]: code } }
}
