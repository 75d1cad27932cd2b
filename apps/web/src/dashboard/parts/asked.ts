import { useState } from 'react'

/**
 * Which of a page's dialogs is asked for, and the props that open and close it. A dialog stays while it closes, so that it
 * can be loaded when it is asked for the first time; `opening`, as its key, lets each opening begin anew.
 */
export function useAsked<What extends string>() {
  const [asked, setAsked] = useState<{ what?: What; opening: number; opened: boolean }>({ opening: 0, opened: false })
  const { what, opening, opened } = asked
  return {
    what,
    opening,
    ask: (next: What) => setAsked({ what: next, opening: opening + 1, opened: true }),
    frame: { opened, onClose: () => setAsked({ ...asked, opened: false }) },
  }
}
