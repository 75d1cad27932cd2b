import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import { useTollgateContext } from '../provider.tsx'

/** How long a pause ends what was typed to find a name. */
const typingPause = 600

/** Moves the focus in a list box. What is typed goes to the next name that begins with it. */
export function useListKeys() {
  const { locale } = useTollgateContext()
  const typed = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=option]')]
    const at = options.indexOf(document.activeElement as HTMLElement)
    const go = (to: HTMLElement | undefined) => {
      event.preventDefault()
      to?.focus()
    }
    const moves: Readonly<Record<string, HTMLElement | undefined>> = {
      ArrowDown: options[Math.min(at + 1, options.length - 1)],
      ArrowUp: options[Math.max(at - 1, 0)],
      Home: options[0],
      End: options.at(-1),
    }
    if (Object.hasOwn(moves, event.key)) {
      typed.current = ''
      return go(moves[event.key])
    }
    // A blank presses the button, unless it is part of a name that is being typed.
    const isText = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isText || (event.key === ' ' && typed.current === '')) return

    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      typed.current = ''
    }, typingPause)
    typed.current += event.key.toLocaleLowerCase(locale)
    // The same letter again goes to the next name with it; more letters first look at where one is.
    const from = typed.current.length > 1 ? at : at + 1
    const inTurn = [...options.slice(from), ...options.slice(0, from)]
    go(
      inTurn.find((option) =>
        option.lastElementChild?.textContent?.toLocaleLowerCase(locale).startsWith(typed.current),
      ),
    )
  }

  /** Focusing the list restarts the typed name. */
  function onFocus(event: FocusEvent<HTMLElement>) {
    if (!event.currentTarget.contains(event.relatedTarget)) typed.current = ''
  }
  return { onKeyDown, onFocus }
}
