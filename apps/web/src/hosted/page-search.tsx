import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ShownGroup } from './organization-shell.tsx'

export type SearchTexts = {
  /** Of the button in the bar. */
  readonly open: string
  /** The key beside K where there is no command key. */
  readonly control: string
  readonly field: string
  readonly none: string
}

const panelId = 'tg-page-search'

/**
 * Leads to a page of the organization by its name, as the dashboard's command menu does: with Ctrl or ⌘ K, typing and the
 * arrow keys. Without a script the panel is a list of all pages.
 */
export function PageSearch({ groups, texts }: { groups: readonly ShownGroup[]; texts: SearchTexts }) {
  const panel = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [keys, setKeys] = useState(`${texts.control} K`)
  const wanted = text.trim().toLowerCase()
  const found = groups.flatMap(({ places }) => places).filter(({ label }) => label.toLowerCase().includes(wanted))

  useEffect(() => {
    if (/Mac|iPhone|iPad/.test(navigator.userAgent)) setKeys('⌘K')
    const open = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      panel.current?.showPopover()
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])

  return (
    <span className="page-search">
      <button type="button" className="search-button" popoverTarget={panelId}>
        <svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
          <path d="M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12Zm4.5 10.5L20 20" />
        </svg>
        <span>{texts.open}</span>
        <span className="kbd" aria-hidden="true">
          {keys}
        </span>
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this groups the panel for the keyboard */}
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        role="group"
        aria-label={texts.open}
        data-tg="menu"
        data-wide
        onKeyDown={moveFocus}
      >
        <input
          type="search"
          autoFocus
          aria-label={texts.field}
          placeholder={texts.field}
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {found.map(({ href, label }) => (
          <a key={href} href={href} data-tg="menu-item">
            {label}
          </a>
        ))}
        <p role="status" data-tg={found.length > 0 ? 'visually-hidden' : 'hint'}>
          {found.length > 0 ? '' : texts.none}
        </p>
      </div>
    </span>
  )
}

/** Arrow keys go through the field and the pages; Enter in the field opens the first page. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')]
  const at = items.indexOf(document.activeElement as HTMLElement) // an element of the panel, or none of them
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step !== 0) {
    event.preventDefault()
    items.at((at + step) % items.length)?.focus()
  } else if (event.key === 'Enter' && at === 0) {
    event.preventDefault()
    items[1]?.click()
  }
}
