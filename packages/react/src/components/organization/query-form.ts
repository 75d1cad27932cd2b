import type { FormEvent } from 'react'

/** The filters of a list: the fields of a form that only reads. */
export type Query = Readonly<Record<string, string>>

/** An embedded section gets the filters by callback instead of by navigation. */
export type OnQuery = (query: Query) => void

/** A form that only reads: it navigates to its own page with the fields in the address. */
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
