import { useLocation } from '@tanstack/react-router'
import type { Place } from './paging.ts'

const nothing: readonly string[] = []

/** Where in a list the address and the history say that one is. */
export function usePlace({ cursor, page = 1 }: { cursor?: string | undefined; page?: number | undefined }): Place {
  const trail = useLocation({ select: ({ state }) => state.trail ?? nothing })
  return cursor === undefined ? { page: 1, trail: nothing } : { cursor, page, trail }
}

/** A place as it stands in an address. */
export const placeSearch = ({ cursor, page }: Place) => ({ cursor, page: cursor === undefined ? undefined : page })
