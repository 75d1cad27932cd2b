import type { DatabaseSync } from 'node:sqlite'

/** What our queries ask of SQLite beyond what it knows: `lower` of all letters, where its own folds only those of ASCII. */
export function addFunctions(database: DatabaseSync): void {
  database.function('unicode_lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  )
}
