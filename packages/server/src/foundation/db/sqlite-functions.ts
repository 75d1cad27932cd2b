import type { DatabaseSync } from 'node:sqlite'

/** The SQL functions that SQLite lacks: `lower` for all letters, because the built-in one folds only ASCII. */
export function addFunctions(database: DatabaseSync): void {
  database.function('unicode_lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  )
}
