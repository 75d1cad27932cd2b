import type { FormEvent } from 'react'

/** What a list is narrowed down by: the fields of a form that only asks. */
export type Query = Readonly<Record<string, string>>

/** Where a section is not a page of its own, it is told what is asked for instead of being called anew. */
export type OnQuery = (query: Query) => void

/** A form that only asks: it leads to its own page with the fields in the address. */
export const queryForm = (action: string, onQuery: OnQuery | undefined) =>
  ({
    action,
    method: 'get',
    ...(onQuery && {
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        const fields = [...new FormData(event.currentTarget)]
        onQuery(Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === 'string')))
      },
    }),
  }) as const
