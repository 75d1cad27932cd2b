// Loaded before the server: SIGUSR2 leaves its SQLite no room to grow, a second SIGUSR2 gives the room back. To SQLite
// it is the same as a full disk (SQLITE_FULL), without a disk to fill.
import { DatabaseSync } from 'node:sqlite'

const databases = new Set()
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  databases.add(this)
  return exec.call(this, sql)
}

let isFull = false
process.on('SIGUSR2', () => {
  isFull = !isFull
  // Less than there is means: no more than there is.
  for (const database of databases) database.prepare(`pragma max_page_count = ${isFull ? 1 : 1_000_000_000}`).get()
})
