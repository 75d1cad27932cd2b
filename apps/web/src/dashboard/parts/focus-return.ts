import { useLayoutEffect } from 'react'

/** The element that had the focus before the first open dialog, and the number of open dialogs. */
let opener: Opener | undefined
let open = 0

/** A button and the index of its row; another row takes that index once the row disappears. */
type Opener = { readonly element: HTMLElement; readonly row: number }

/** Marks the buttons of a row: `<span data-row-actions="">`. */
const rowActions = '[data-row-actions]'

/**
 * Gives the focus back when a dialog goes away (frontend.md, 1.2): to what had opened it, also where another dialog came in
 * between; where that is gone, to the row in its place, else to the heading of the page. Instead of the dialog's own way,
 * which knows none of them.
 */
export function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return
    rememberOpener()
    open += 1
    return () => {
      open -= 1
      keepFocus()
    }
  }, [opened])
}

/** The same for a row's button without a dialog: its action may remove the row. */
export function keepRowFocus(): void {
  rememberOpener()
  keepFocus()
}

function rememberOpener(): void {
  const { activeElement } = document
  const isOutside = activeElement !== document.body && !activeElement?.closest('[role=dialog]')
  if (!isOutside || !(activeElement instanceof HTMLElement)) return
  const row = activeElement.closest<HTMLElement>(rowActions)
  opener = { element: activeElement, row: row ? rows().indexOf(row) : -1 }
}

/**
 * Until the person acts: what a dialog has done is drawn some time after it went away, and what has got the focus back may go
 * with it.
 */
function keepFocus(): void {
  const drawn = new MutationObserver(returnFocus)
  drawn.observe(document.body, { childList: true, subtree: true })
  const actions = ['keydown', 'pointerdown'] as const
  const end = () => {
    drawn.disconnect()
    for (const action of actions) removeEventListener(action, end, true)
  }
  for (const action of actions) addEventListener(action, end, true)
  returnFocus()
}

function returnFocus(): void {
  const { activeElement } = document
  const isLost = !activeElement || activeElement === document.body || activeElement.closest('[role=dialog]') !== null
  if (open === 0 && isLost) heir()?.focus({ preventScroll: true })
}

function heir(): HTMLElement | null {
  if (opener?.element.isConnected) return opener.element
  const left = rows()
  const next = opener && opener.row >= 0 ? left[Math.min(opener.row, left.length - 1)] : undefined
  return next?.querySelector<HTMLElement>('button, a') ?? document.querySelector<HTMLElement>('h1')
}

const rows = () => [...document.querySelectorAll<HTMLElement>(rowActions)]
