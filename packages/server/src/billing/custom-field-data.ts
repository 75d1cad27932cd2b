import type { Product } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../error.ts'

type Attached = Product['attachedCustomFields']
export type CustomFieldData = Record<string, string | number | boolean | null>

/**
 * The answers to a product's custom fields, checked (CHK-20): unknown keys are dropped; what is required is only wanted when
 * `complete`. Pure: the fields are handed in.
 */
export function checkCustomFieldData(
  _fields: Attached,
  _data: Readonly<Record<string, unknown>>,
  _complete: boolean,
): { data: CustomFieldData; issues: InputIssue[] } {
  throw new Error('not built yet')
}
