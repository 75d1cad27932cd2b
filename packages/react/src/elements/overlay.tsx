import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

export type DialogProps = {
  open: boolean
  /** Called when it is closed by Escape; the caller sets `open` to false. */
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

/** A modal question. The browser keeps the focus inside and gives it back to where it was. */
export function Dialog({ open, onClose, title, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
    if (!open && dialog.current?.open) dialog.current.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      data-tg="dialog"
      aria-labelledby={titleId}
      // The event comes late: by then the dialog may be open again.
      onClose={(event) => {
        if (!event.currentTarget.open) onClose()
      }}
    >
      <h2 id={titleId} data-tg="section-title">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

export type MenuProps = {
  /** Unique on the page: the button finds its panel by it, also without JavaScript. */
  id: string
  /** What the button and its panel are called where they cannot be seen. */
  label: string
  /** What the button shows; when it is text, it is the beginning of the button's name. */
  button: ReactNode
  /** Whether the button takes the whole width. */
  wide?: boolean
  children: ReactNode
}

/** A button that opens a panel of links and buttons. Opening, Escape and clicking away are the browser's own. */
export function Menu({ id, label, button, wide = false, children }: MenuProps) {
  return (
    <span data-tg="menu-anchor">
      <button type="button" data-tg="menu-button" data-wide={wide || undefined} popoverTarget={id}>
        {button}
        <span data-tg="visually-hidden">{label}</span>
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this groups the menu for the keyboard */}
      <div id={id} popover="auto" role="group" aria-label={label} data-tg="menu" onKeyDown={moveFocus}>
        {children}
      </div>
    </span>
  )
}

/** Arrow keys go through the panel's links and buttons, besides Tab. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  items.at((at + step) % items.length)?.focus()
}

/** Two arrows at the end of a wide button that opens a panel. */
export function Opens() {
  return (
    <svg data-tg="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />
    </svg>
  )
}
