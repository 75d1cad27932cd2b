import { useLayoutEffect } from 'react'

/** What had the focus before the first of some dialogs was opened, and how many are open. */
let opener: HTMLElement | undefined
let open = 0

/** Longer than a dialog takes to go away, and a page to be drawn again, in milliseconds. */
const soon = 300

/**
 * Gives the focus back when a dialog goes away: to what had opened it, also where another dialog came in between, or to the
 * heading of the page where that is gone (frontend.md, 1.2). Instead of the dialog's own way, which knows neither.
 */
export function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return
    const { activeElement } = document
    const isOutside = activeElement !== document.body && !activeElement?.closest('[role=dialog]')
    if (isOutside && activeElement instanceof HTMLElement) opener = activeElement
    open += 1
    return () => {
      open -= 1
      returnFocus()
      returnFocusSoon()
    }
  }, [opened])
}

/** Once more when the page was drawn again: what has got the focus back may be gone since. */
export function returnFocusSoon(): void {
  setTimeout(returnFocus, soon)
}

function returnFocus(): void {
  const { activeElement } = document
  const isLost = !activeElement || activeElement === document.body || activeElement.closest('[role=dialog]') !== null
  if (open > 0 || !isLost) return
  const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>('h1')
  target?.focus({ preventScroll: true })
}
