import type { z } from 'zod'

/** A row with a value for every member of an answer: a `Date` for a time, null for an optional member. */
type RowOf<Output> = { readonly [Name in keyof Output]-?: StoredAs<Output[Name]> }
type StoredAs<Value> = Value extends undefined ? null : Value extends string ? Value | Date : Value

/**
 * Makes the converter from rows to the answer of a schema, member by member in the schema's order. Times become ISO
 * 8601 with milliseconds. An optional member is omitted when the row has null. Columns outside the schema never show.
 * To show another column, add it only to its schema and its table.
 */
export function answerFrom<Shape extends z.ZodObject>(schema: Shape): (row: RowOf<z.output<Shape>>) => z.output<Shape> {
  const members = Object.entries(schema.shape).map(([name, member]) => ({
    name,
    mayBeAbsent: (member as z.ZodType).safeParse(undefined).success, // the shape of an object schema
  }))
  return (row) => {
    const values: Readonly<Record<string, unknown>> = row
    const shown = members.flatMap(({ name, mayBeAbsent }) => {
      const value = values[name]
      if (value === null && mayBeAbsent) return []
      return [[name, value instanceof Date ? value.toISOString() : value]]
    })
    return Object.fromEntries(shown) as z.output<Shape> // `RowOf` has the same members, in their stored form
  }
}
