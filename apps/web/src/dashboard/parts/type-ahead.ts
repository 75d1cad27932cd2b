/**
 * Keeps the keys that a user types between a shortcut and the field that it opens, whose code may still be loading.
 * Without it they are lost, or run other shortcuts.
 */
export type TypeAhead = {
  /** Begins to keep keys; nothing else gets them. */
  begin(): void
  /** Ends it, and returns the text so far. */
  take(): string
}

/** @param window the browser's; asked for only when keys are kept, because the server renders the page, too */
export function createTypeAhead(window: () => Pick<Window, 'addEventListener' | 'removeEventListener'>): TypeAhead {
  let text = ''
  const keep = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  return {
    begin: () => {
      text = ''
      window().addEventListener('keydown', keep, { capture: true })
    },
    take: () => {
      window().removeEventListener('keydown', keep, { capture: true })
      return text
    },
  }
}
