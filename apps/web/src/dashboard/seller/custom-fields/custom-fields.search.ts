import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../../search.ts'
import { choiceIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', 'slug', '-slug', 'type', '-type'] as const
export type Sort = (typeof sorts)[number]

export const types = ['text', 'number', 'date', 'checkbox', 'select'] as const
export type FieldType = (typeof types)[number]

/** The address of the list of custom fields, without default values. */
export type CustomFieldsSearch = ListSearch<Sort> & { q?: string | undefined; type?: FieldType | undefined }

/** Parses an address; invalid values count as missing. */
export function customFieldsSearchIn(given: Readonly<Record<string, unknown>>): CustomFieldsSearch {
  const q = textIn(given.q)
  const type = choiceIn(given.type, types)
  return { ...(q && { q }), ...(type && { type }), ...listSearchIn(given, sorts) }
}

/** The query that is sent to the server. */
export function customFieldsQueryOf({ q, type, ...list }: CustomFieldsSearch): BillingQuery<'listCustomFields'> {
  const fields = { created: 'created_at', name: 'name', slug: 'slug', type: 'type' } as const
  return { ...listQueryOf(list, '-created', fields), ...(type && { type: [type] }), ...(q && { query: q }) }
}
