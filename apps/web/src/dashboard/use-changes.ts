import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useDashboard } from './context.ts'
import { noLive } from './live.ts'

/** Whether the changes of some objects arrive by themselves, and how many have. */
export function useChanges(objects: readonly string[]): { isCovered: boolean; changes: number } {
  const { live } = useDashboard()
  const { covered, changes } = useSyncExternalStore(live.subscribe, live.read, noLive.read)
  return {
    isCovered: objects.some((object) => covered?.has(object)),
    changes: objects.reduce((sum, object) => sum + (changes[object] ?? 0), 0),
  }
}

/** Reads what the page shows again whenever one of these objects has changed. */
export function useRefreshOn(objects: readonly string[]): void {
  const { queries } = useDashboard()
  const { isCovered, changes } = useChanges(objects)
  // The page is as new as the first greeting of the stream.
  const seen = useRef<number>(undefined)
  useEffect(() => {
    if (isCovered && seen.current !== undefined && seen.current !== changes)
      void queries.invalidateQueries({ queryKey: ['billing'] })
    if (isCovered) seen.current = changes
  }, [isCovered, changes, queries])
}
