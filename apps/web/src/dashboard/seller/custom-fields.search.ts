import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../search.ts'
import { choiceIn, type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', 'slug', '-slug', 'type', '-type'] as const
export type Sort = (typeof sorts)[number]

export const types = ['text', 'number', 'date', 'checkbox', 'select'] as const
export type FieldType = (typeof types)[number]

/** How the list of custom fields stands in its address. What is usual is left out. */
export type CustomFieldsSearch = ListSearch<Sort> & { q?: string | undefined; type?: FieldType | undefined }

/** Reads an address; what it cannot mean counts as not said. */
export function customFieldsSearchIn(given: Readonly<Record<string, unknown>>): CustomFieldsSearch {
  const q = textIn(given.q)
  const type = choiceIn(given.type, types)
  return { ...(q && { q }), ...(type && { type }), ...listSearchIn(given, sorts) }
}

/** What the server is asked for. */
export function customFieldsQueryOf({ q, type, ...list }: CustomFieldsSearch): BillingQuery<'listCustomFields'> {
  const fields = { created: 'created_at', name: 'name', slug: 'slug', type: 'type' } as const
  return { ...listQueryOf(list, '-created', fields), ...(type && { type: [type] }), ...(q && { query: q }) }
}
