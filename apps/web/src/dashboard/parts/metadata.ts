import { texts } from '../texts.ts'
import { FieldError } from './field-errors.ts'

export const kinds = ['text', 'number', 'flag'] as const
export type Kind = (typeof kinds)[number]

/** A line of the editor: the value as it stands in its field. */
export type MetadataEntry = {
  /** The line's identity while its key changes. */
  readonly id: number
  readonly key: string
  readonly kind: Kind
  readonly value: string
}

type Metadata = Readonly<Record<string, string | number | boolean>>

let entries = 0
const newEntry = (key: string, kind: Kind, value: string): MetadataEntry => {
  entries += 1
  return { id: entries, key, kind, value }
}

export const emptyEntry = (): MetadataEntry => newEntry('', 'text', '')

/** The lines of a map, in its order. */
export const entriesOf = (metadata: Metadata): MetadataEntry[] =>
  Object.entries(metadata).map(([key, value]) =>
    newEntry(key, typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'flag' : 'text', String(value)),
  )

/** The lines as a map; throws FieldError for an invalid line. */
export function metadataOf(lines: readonly MetadataEntry[]): Record<string, string | number | boolean> {
  const words = texts.metadata
  const metadata: Record<string, string | number | boolean> = {}
  for (const [index, { key, kind, value }] of lines.entries()) {
    const name = key.trim()
    if (name === '' && value === '') continue
    if (name === '') throw new FieldError(`metadata.${index}`, words.noKey)
    if (Object.hasOwn(metadata, name)) throw new FieldError(`metadata.${index}`, words.twice(name))
    if (value.trim() === '') throw new FieldError(`metadata.${index}.value`, words.empty)
    const number = Number(value)
    if (kind === 'number' && !Number.isFinite(number)) throw new FieldError(`metadata.${index}.value`, words.notNumber)
    metadata[name] = kind === 'number' ? number : kind === 'flag' ? value === 'true' : value
  }
  return metadata
}
