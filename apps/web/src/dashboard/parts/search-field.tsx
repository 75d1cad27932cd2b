import { Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import styles from './search-field.module.css'
import { useShortcut, useShortcuts } from './shortcuts.ts'

type Props = { label: string; placeholder: string; value: string; onSearch: (text: string) => void }

const searchFieldId = 'search'

/** For a button that clears the search and disappears: it needs a new focus target. */
export const focusSearchField = () => document.getElementById(searchFieldId)?.focus()

/** Searches after a pause in typing. `/` focuses it. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const field = useRef<HTMLInputElement>(null)
  const { isOn } = useShortcuts()
  useShortcut('/', () => field.current?.focus())

  const ask = useDebouncedCallback((wanted: string) => {
    asked.current = wanted
    onSearch(wanted)
  }, 250)
  // Another change of the address, such as Back, takes precedence.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setText(value)
  }, [value])

  return (
    <TextInput
      ref={field}
      id={searchFieldId}
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      rightSection={
        isOn && text === '' ? (
          <Kbd size="xs" className="only-wide" aria-hidden>
            /
          </Kbd>
        ) : null
      }
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        ask(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') ask.flush()
      }}
    />
  )
}
