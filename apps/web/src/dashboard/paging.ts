/**
 * The place in a list with cursors. The server returns a cursor for the next page only. The previous cursors are in
 * the browser's history state, which survives a reload but not a shared link.
 */
export type Place = {
  /** The cursor of the current page; undefined for the first. */
  readonly cursor?: string | undefined
  /** Counted from 1, from the address. */
  readonly page: number
  /** The cursors of the previous pages; that of the first is ''. */
  readonly trail: readonly string[]
}

/** Rows of a page. */
export const pageSize = 50

export const firstPlace: Place = { page: 1, trail: [] }

export function nextPlace({ cursor = '', page, trail }: Place, nextCursor: string): Place {
  return { cursor: nextCursor, page: page + 1, trail: [...trail, cursor] }
}

/** The previous page, or the first if the previous cursors are unknown. */
export function previousPlace({ page, trail }: Place): Place {
  const cursor = trail.at(-1)
  return cursor ? { cursor, page: page - 1, trail: trail.slice(0, -1) } : firstPlace
}

/** Whether "Previous" opens the previous page rather than the first. */
export const knowsWayBack = ({ trail }: Place): boolean => trail.length > 0

/** First and last row of a page, counted from 1. */
export const rangeOf = (page: number, rows: number): { from: number; to: number } => ({
  from: (page - 1) * pageSize + 1,
  to: (page - 1) * pageSize + rows,
})

/** The page number in an address; invalid numbers count as 1. */
export function pageIn(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : undefined
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** See Place. */
    trail?: readonly string[]
    /** The list that the viewer came from, with its filters. */
    list?: Readonly<Record<string, unknown>>
  }
}
