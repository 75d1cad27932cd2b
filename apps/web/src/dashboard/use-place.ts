import { type HistoryState, useLocation, useNavigate } from '@tanstack/react-router'
import type { Place } from './paging.ts'

const nothing: readonly string[] = []

/** Where in a list an address says that one is. */
type PlaceSearch = { readonly cursor?: string | undefined; readonly page?: number | undefined }

/** Where in a list the address and the history say that one is, and the ways to another place or to another list. */
export function useListAddress<Search extends object>({ cursor, page = 1 }: Search & PlaceSearch) {
  const navigate = useNavigate()
  const trail = useLocation({ select: ({ state }) => state.trail ?? nothing })
  const place: Place = cursor === undefined ? { page: 1, trail: nothing } : { cursor, page, trail }
  const go = (changes: object, how: { replace: true } | { state: HistoryState }) =>
    navigate({
      to: '.',
      search: ((before: object) => ({ ...before, ...changes })) as never, // the route's own search, which only its page knows
      ...how,
    })
  return {
    place,
    /** Another list begins at its first page. */
    show: (changes: Partial<Search>) => go({ ...changes, cursor: undefined, page: undefined }, { replace: true }),
    goTo: (to: Place) =>
      go({ cursor: to.cursor, page: to.cursor === undefined ? undefined : to.page }, { state: { trail: to.trail } }),
  }
}
