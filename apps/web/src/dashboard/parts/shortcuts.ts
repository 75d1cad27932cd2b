import { useLocalStorage, useWindowEvent } from '@mantine/hooks'
import { type Dispatch, type SetStateAction, useLayoutEffect, useRef } from 'react'

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
    if (!isOn || event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
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
  useWindowEvent('keydown', (event) => {
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
    const run = Object.hasOwn(runs, event.key) ? runs[event.key] : undefined
    if (run && event.timeStamp - since.current < patience) {
      since.current = Number.NEGATIVE_INFINITY
      event.preventDefault()
      run()
      return
    }
    since.current = event.key === first ? event.timeStamp : Number.NEGATIVE_INFINITY
  })
}

/**
 * Takes the keys that a user presses while a search that was asked for is still on its way, so that no letter is lost and none is
 * a shortcut. Once the search field has the focus, it takes them itself.
 */
export function useTypedAhead(isAwaited: boolean, write: Dispatch<SetStateAction<string>>) {
  useLayoutEffect(() => {
    if (!isAwaited) return
    const asked = document.activeElement
    const take = (event: KeyboardEvent) => {
      if (document.activeElement !== asked && isField(document.activeElement)) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      const isLetter = [...event.key].length === 1
      // Enter would press what had the focus before.
      if (!isLetter && event.key !== 'Backspace' && event.key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
      if (isLetter) write((text) => text + event.key)
      if (event.key === 'Backspace') write((text) => text.slice(0, -1))
    }
    // Before all others: the shortcuts of the page listen too.
    window.addEventListener('keydown', take, { capture: true })
    return () => window.removeEventListener('keydown', take, { capture: true })
  }, [isAwaited, write])
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
