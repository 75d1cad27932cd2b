import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { texts } from '../texts.ts'
import type { ErrorOf } from './form-errors.ts'
import { emptyEntry, kinds, type MetadataEntry } from './metadata.ts'

const words = texts.metadata

type Props = {
  entries: readonly MetadataEntry[]
  onChange: (entries: readonly MetadataEntry[]) => void
  /** Asked for `metadata.0` and the like, which is what `metadataOf` throws, and for the server's `metadata.<key>`. */
  errorOf: ErrorOf
}

/** Edits the map of notes that most objects have: a key, a kind and a value in each line. */
export function MetadataEditor({ entries, onChange, errorOf }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const change = (index: number, changes: Partial<MetadataEntry>) =>
    onChange(entries.map((entry, each) => (each === index ? { ...entry, ...changes } : entry)))
  const remove = (index: number) => {
    onChange(entries.filter((_, each) => each !== index))
    // The button that had the focus is gone.
    list.current?.parentElement?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return (
    <div className="fields">
      <p className="quiet">{words.text}</p>
      <ul ref={list} className="fields when-any">
        {entries.map(({ id, key, kind, value }, index) => (
          <li key={id} className="entry">
            <TextInput
              aria-label={words.nameOf(words.key, index + 1)}
              placeholder={words.key}
              autoComplete="off"
              spellCheck={false}
              maxLength={40}
              value={key}
              error={errorOf(`metadata.${index}`) ?? (key === '' ? undefined : errorOf(`metadata.${key}`))}
              onChange={(event) => change(index, { key: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label={words.nameOf(words.kind, index + 1)}
              data={kinds.map((each) => ({ value: each, label: words.kinds[each] }))}
              value={kind}
              onChange={(event) => {
                const chosen = kinds.find((each) => each === event.currentTarget.value) ?? 'text'
                change(index, { kind: chosen, ...(chosen === 'flag' && { value: 'true' }) })
              }}
            />
            {kind === 'flag' ? (
              <NativeSelect
                aria-label={words.nameOf(words.value, index + 1)}
                data={[
                  { value: 'true', label: words.flags.true },
                  { value: 'false', label: words.flags.false },
                ]}
                value={value}
                onChange={(event) => change(index, { value: event.currentTarget.value })}
              />
            ) : (
              <TextInput
                aria-label={words.nameOf(words.value, index + 1)}
                placeholder={words.value}
                autoComplete="off"
                spellCheck={false}
                maxLength={500}
                {...(kind === 'number' && { inputMode: 'decimal' as const })}
                value={value}
                error={errorOf(`metadata.${index}.value`)}
                onChange={(event) => change(index, { value: event.currentTarget.value })}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={words.remove(key)}
              onClick={() => remove(index)}
            >
              <IconX size={16} stroke={1.6} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="default"
          size="compact-md"
          data-add=""
          leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
          onClick={() => onChange([...entries, emptyEntry()])}
        >
          {words.add}
        </Button>
      </div>
    </div>
  )
}
