// Loaded before the server: ends the process as `kill -9` would, at a chosen SQL statement, just before it is run.
//
//   FAULT_FROM       counting begins with the first statement that contains this text
//   FAULT_STATEMENT  how many statements after that one the process ends (0: before that one)
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

const from = process.env.FAULT_FROM ?? ''
let left = Number(process.env.FAULT_STATEMENT)
let counting = false

function before(sql) {
  counting ||= sql.includes(from)
  if (!counting) return
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
}

function watch(prototype, method, sqlOf) {
  const original = prototype[method]
  prototype[method] = function (...args) {
    before(sqlOf(this, args))
    return original.apply(this, args)
  }
}

watch(DatabaseSync.prototype, 'exec', (_, [sql]) => sql)
for (const method of ['run', 'all', 'get']) watch(StatementSync.prototype, method, (statement) => statement.sourceSQL)
watch(pg.Client.prototype, 'query', (_, [query]) => (typeof query === 'string' ? query : (query?.text ?? '')))
