import { type RefObject, useEffect, useRef } from 'react'

/**
 * Brings the entry of the page that is shown to the middle of a navigation that scrolls sideways, as on telephones; where all
 * entries fit, nothing happens.
 */
export function useCurrentInView(current: string): RefObject<HTMLElement | null> {
  const navigation = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry that is marked changes with it
  useEffect(() => {
    const entry = navigation.current?.querySelector('[aria-current]')
    if (!navigation.current || !entry) return
    const around = navigation.current.getBoundingClientRect()
    const { left, width } = entry.getBoundingClientRect()
    navigation.current.scrollLeft += left - around.left - (around.width - width) / 2
  }, [current])
  return navigation
}
