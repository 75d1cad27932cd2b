import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

type Gone = { at: number; screen: Element | null | undefined }

/** Moves the focus from a row that goes away to the next one's first control, else to the heading. */
export function useRowFocus<List extends HTMLElement = HTMLUListElement>(): [
  list: RefObject<List | null>,
  rowGone: (at: number) => void,
] {
  const list = useRef<List>(null)
  const [gone, setGone] = useState<Gone>()
  useEffect(() => {
    if (!gone) return
    const rows = list.current?.children ?? []
    const next = rows[Math.min(gone.at, rows.length - 1)]?.querySelector<HTMLElement>('summary, button, a')
    const heading = gone.screen?.querySelector<HTMLElement>('h1')
    ;(next ?? heading)?.focus()
    setGone(undefined)
  }, [gone])
  // The screen is looked up at once: with its last row a list may go away too.
  const rowGone = useCallback((at: number) => setGone({ at, screen: list.current?.closest('[data-tg-screen]') }), [])
  return [list, rowGone]
}
