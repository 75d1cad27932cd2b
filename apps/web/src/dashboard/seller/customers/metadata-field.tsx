import { useState } from 'react'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import { MetadataEditor } from '../../parts/metadata-editor.tsx'

type Metadata = Readonly<Record<string, string | number | boolean>>

/** Metadata as a field of a form: begins afresh with each opening of its dialog. */
export function MetadataField({ metadata, errorOf }: { metadata: Metadata; errorOf: ErrorOf }) {
  const [entries, setEntries] = useState<readonly MetadataEntry[]>(() => entriesOf(metadata))
  return (
    <>
      <input type="hidden" name="metadata" value={JSON.stringify(entries)} />
      <MetadataEditor entries={entries} onChange={setEntries} errorOf={errorOf} />
    </>
  )
}

/** What the field holds; throws FieldError for a line that means nothing. */
export const metadataIn = (form: FormData): Record<string, string | number | boolean> =>
  metadataOf(JSON.parse(String(form.get('metadata'))) as MetadataEntry[]) // written by the field above
