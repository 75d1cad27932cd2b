import { NativeSelect, TextInput } from '@mantine/core'
import { texts } from '../texts.ts'
import type { ErrorOf } from './form-errors.ts'
import { Lines } from './lines.tsx'
import { emptyEntry, kinds, type MetadataEntry } from './metadata.ts'

const words = texts.metadata

type Props = {
  entries: readonly MetadataEntry[]
  onChange: (entries: readonly MetadataEntry[]) => void
  /** Asked for `metadata.0` and the like, which is what `metadataOf` throws, and for the server's `metadata.<key>`. */
  errorOf: ErrorOf
}

/** The metadata editor: a key, a type and a value per line. */
export const MetadataEditor = ({ entries, onChange, errorOf }: Props) => (
  <div className="fields">
    <p className="quiet">{words.text}</p>
    <Lines
      lines={entries}
      onChange={onChange}
      add={(before) => [...before, emptyEntry()]}
      words={{ add: words.add, remove: ({ key }) => words.remove(key) }}
      look="entry"
    >
      {({ key, kind, value }, change, index) => (
        <>
          <TextInput
            aria-label={words.nameOf(words.key, index + 1)}
            placeholder={words.key}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            value={key}
            error={errorOf(`metadata.${index}`) ?? (key === '' ? undefined : errorOf(`metadata.${key}`))}
            onChange={(event) => change({ key: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label={words.nameOf(words.kind, index + 1)}
            data={kinds.map((each) => ({ value: each, label: words.kinds[each] }))}
            value={kind}
            onChange={(event) => {
              const chosen = kinds.find((each) => each === event.currentTarget.value) ?? 'text'
              change({ kind: chosen, ...(chosen === 'flag' && { value: 'true' }) })
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
              onChange={(event) => change({ value: event.currentTarget.value })}
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
              onChange={(event) => change({ value: event.currentTarget.value })}
            />
          )}
        </>
      )}
    </Lines>
  </div>
)
