import { useLocalStorage, useWindowEvent } from '@mantine/hooks'
import { useRef } from 'react'

/** Whether single-key shortcuts are on. Users of speech input can switch them off (WCAG 2.1.4). */
export function useShortcuts() {
  const [kept, keep] = useLocalStorage({
    key: 'tollgate_shortcuts',
    defaultValue: 'on',
    getInitialValueInEffect: false,
  })
  return { isOn: kept === 'on', turn: (on: boolean) => keep(on ? 'on' : 'off') }
}

/** Runs when a character is typed outside a field, on any keyboard layout. */
export function useShortcut(key: string, run: () => void) {
  const { isOn } = useShortcuts()
  useWindowEvent('keydown', (event) => {
    // It may be the second of two keys already.
    if (event.defaultPrevented || event.key !== key || !isOn || isMeantElsewhere(event)) return
    event.preventDefault()
    run()
  })
}

/** The time for the second key of two. */
const patience = 1_500

/**
 * Runs when one of some keys is pressed shortly after another: `g` and then the letter of a page. Like every single key, not
 * in a field, and not together with a key that browsers mean something by.
 */
export function useKeyAfter(first: string, runs: Readonly<Record<string, () => void>>) {
  const { isOn } = useShortcuts()
  const since = useRef(Number.NEGATIVE_INFINITY)
  useWindowEvent(
    'keydown',
    (event) => {
      if (!isOn || isMeantElsewhere(event)) return
      const run = Object.hasOwn(runs, event.key) ? runs[event.key] : undefined
      if (run && event.timeStamp - since.current < patience) {
        since.current = Number.NEGATIVE_INFINITY
        event.preventDefault()
        run()
        return
      }
      since.current = event.key === first ? event.timeStamp : Number.NEGATIVE_INFINITY
    },
    before,
  )
}

/** A second key comes before it means anything by itself. */
const before = { capture: true }

/** Whether a key belongs to a field, to a dialog, or to the browser. */
const isMeantElsewhere = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || (target instanceof HTMLElement && (isTypedInto(target) || isInDialog(target)))

const isTypedInto = (element: HTMLElement): boolean =>
  element.isContentEditable || element.matches('textarea, select, input:not([type="checkbox"])')
const isInDialog = (element: HTMLElement): boolean => element.closest('[role="dialog"]') !== null
