import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './lines.module.css'

/** How the fields of a line share its width. */
const looks = {
  entry: styles.entry,
  pair: styles.pair,
  place: styles.place,
  social: styles.social,
  usage: styles.usage,
} as const

type Props<Line> = {
  lines: readonly Line[]
  onChange: (lines: readonly Line[]) => void
  /** The same with one more at the end. */
  add: (lines: readonly Line[]) => readonly Line[]
  words: {
    readonly add: string
    /** The label of a line's remove button; `number` counts from 1. */
    readonly remove: (line: Line, number: number) => string
    /** Shown if the list is empty. */
    readonly none?: string
  }
  /** How a line's fields stand beside each other. */
  look: keyof typeof looks
  /** The maximum number of lines. */
  most?: number
  /** An error of the whole list. */
  error?: ReactNode
  /** The fields of a line. */
  children: (line: Line, change: (changes: Partial<Line>) => void, index: number) => ReactNode
}

/** An editable list of lines, such as social profiles. */
export function Lines<Line extends { readonly id: string | number }>(props: Props<Line>) {
  const { lines, onChange, add, words, look, most = Number.POSITIVE_INFINITY, error, children } = props
  const adding = useRef<HTMLButtonElement>(null)
  const [removed, setRemoved] = useState(0)
  // The focused button disappears with its line.
  useEffect(() => {
    if (removed > 0) adding.current?.focus()
  }, [removed])
  return (
    <>
      {lines.length === 0 && words.none ? <p className="quiet">{words.none}</p> : null}
      {lines.length > 0 ? (
        <ul className="fields">
          {lines.map((line, index) => (
            <li key={line.id} className={looks[look]}>
              {children(
                line,
                (changes) => onChange(lines.map((each) => (each === line ? { ...each, ...changes } : each))),
                index,
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={words.remove(line, index + 1)}
                onClick={() => {
                  onChange(lines.filter((each) => each !== line))
                  setRemoved(removed + 1)
                }}
              >
                <IconX size={16} stroke={1.6} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      {error ? <p className="wrong">{error}</p> : null}
      {lines.length < most ? (
        <div>
          <Button
            ref={adding}
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
            onClick={() => onChange(add(lines))}
          >
            {words.add}
          </Button>
        </div>
      ) : null}
    </>
  )
}
