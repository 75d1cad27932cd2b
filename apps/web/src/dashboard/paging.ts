/**
 * Where one is in a list that is read page by page. The server gives a cursor for the next page only; the way back is
 * kept beside the address, in the history of the browser, and so survives a reload but not a shared link.
 */
export type Place = {
  /** Of the page that is shown; none for the first. */
  readonly cursor?: string | undefined
  /** Counted from 1, as far as the address says. */
  readonly page: number
  /** The cursors of the pages before, the first one's being ''. */
  readonly trail: readonly string[]
}

/** Rows of a page. */
export const pageSize = 50

export const firstPlace: Place = { page: 1, trail: [] }

export function nextPlace({ cursor = '', page, trail }: Place, nextCursor: string): Place {
  return { cursor: nextCursor, page: page + 1, trail: [...trail, cursor] }
}

/** The page before, or the first one where the way is not known. */
export function previousPlace({ page, trail }: Place): Place {
  const cursor = trail.at(-1)
  return cursor ? { cursor, page: page - 1, trail: trail.slice(0, -1) } : firstPlace
}

/** Whether "Previous" leads to the page before, and not merely to the first one. */
export const knowsWayBack = ({ trail }: Place): boolean => trail.length > 0

/** First and last row of a page, counted from 1. */
export const rangeOf = (page: number, rows: number): { from: number; to: number } => ({
  from: (page - 1) * pageSize + 1,
  to: (page - 1) * pageSize + rows,
})

/** The page's number in an address; anything that is none counts as the first. */
export function pageIn(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : undefined
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** See Place. */
    trail?: readonly string[]
    /** The list that one has come from, to go back to it as it was. */
    list?: Readonly<Record<string, unknown>>
  }
}
