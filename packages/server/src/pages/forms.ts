import { type Form as FormRow, formRows } from '@tollgate/contract/forms'
import type { PageForm } from '@tollgate/contract/pages'
import { namesOf } from '../foundation/proof/proven.ts'
import type { Form } from './form.ts'
import { pricingForms } from './pricing-forms.ts'
import { rowForm } from './row-form.ts'

const taken = Object.entries<FormRow>(formRows).map(([name, row]) => [name, rowForm(row)] as const)

/** Every form of the hosted pages: its calls and its outcome. */
export const forms: Readonly<Record<PageForm, Form>> = {
  ...pricingForms,
  ...(Object.fromEntries(taken) as Record<keyof typeof formRows, Form>), // one for each row
}

/** The posted form of a page: the named one, otherwise its only one or the one named like the route. */
export function postedForm(route: string, named: string | undefined): PageForm | undefined {
  const names = namesOf(forms).filter((name) => forms[name].pages.includes(route))
  if (named === undefined && names.length === 1) return names[0]
  return names.find((name) => name === (named ?? route.slice(1)))
}
