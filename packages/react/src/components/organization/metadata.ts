/** One key of an organization's metadata in the editor: a text as it is, anything else as JSON. */
export type MetadataRow = { readonly id: number; readonly key: string; readonly value: string; readonly json: boolean }

type Metadata = Readonly<Record<string, unknown>>

export const rowsOf = (metadata: Metadata): MetadataRow[] =>
  Object.entries(metadata).map(([key, value], id) =>
    typeof value === 'string' ? { id, key, value, json: false } : { id, key, value: JSON.stringify(value), json: true },
  )

/** The rows as one map without rows that lack a key, or an error code. */
export function metadataOf(rows: readonly Omit<MetadataRow, 'id'>[]): { data: Metadata } | { code: string } {
  const named = rows.filter(({ key }) => key.trim() !== '')
  const keys = new Set(named.map(({ key }) => key.trim()))
  if (keys.size < named.length) return { code: 'KEY_TWICE' }
  try {
    return {
      data: Object.fromEntries(named.map(({ key, value, json }) => [key.trim(), json ? JSON.parse(value) : value])),
    }
  } catch {
    return { code: 'METADATA_INVALID' }
  }
}
