import { momentsOf, rangeIn } from '../../days.ts'
import { pageIn, pageSize } from '../../paging.ts'
import { textIn } from '../../search.ts'

/** What every list of the seller has in its address: its order, and where in it one is. What is usual is left out. */
export type ListSearch<Sort extends string> = {
  sort?: Sort | undefined
  cursor?: string | undefined
  page?: number | undefined
}

type Given = Readonly<Record<string, unknown>>

/** Reads order and place; the first of the orders is the usual one. */
export function listSearchIn<Sort extends string>(given: Given, sorts: readonly Sort[]): ListSearch<Sort> {
  const sort = sorts.find((each, index) => each === given.sort && index > 0)
  const cursor = textIn(given.cursor, 2048)
  const page = cursor ? pageIn(given.page) : undefined
  return { ...(sort && { sort }), ...(cursor && { cursor }), ...(page && { page }) }
}

/** What the server is asked for: `fields` has its names of the columns, where they differ from those in the address. */
export function listQueryOf<Sort extends string, Field extends string>(
  { sort, cursor }: ListSearch<Sort>,
  usual: Sort,
  fields: Readonly<Record<SortField<Sort>, Field>>,
): { limit: number; sorting: [Field | `-${Field}`]; cursor?: string } {
  const by = sort ?? usual
  const field = fields[by.replace(/^-/, '') as SortField<Sort>] // an order is a column, with or without the sign
  return { limit: pageSize, sorting: [by.startsWith('-') ? `-${field}` : field], ...(cursor && { cursor }) }
}

/** The column that an order sorts by. */
export type SortField<Sort extends string> = Sort extends `-${infer Name}` ? Name : Sort

/** The id of something that is sold or bought; nothing else narrows a list to it. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value) ? value : undefined
}

/** One of the values that a filter has. */
export const choiceIn = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((each) => each === value)

/** What the server is asked for, where a list is narrowed to some days. */
export function createdQueryOf(created: string | undefined): { createdAfter?: string; createdBefore?: string } {
  const range = rangeIn(created)
  if (!range) return {}
  const { after, before } = momentsOf(range)
  return { createdAfter: after, createdBefore: before }
}
