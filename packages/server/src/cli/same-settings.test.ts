import { expect, test } from 'vitest'
import { withSameSettings } from './same-settings.ts'

test.each([
  [{}, 'npx tollgate seed'],
  [{ PORT: '', HOST: '0.0.0.0', LOG_LEVEL: 'debug' }, 'npx tollgate seed'],
  [{ PORT: '4000' }, 'PORT=4000 npx tollgate seed'],
  [
    { BASE_URL: 'http://accounts.local:4000', PORT: '4000', TOLLGATE_CONFIG: 'my config.ts' },
    "TOLLGATE_CONFIG='my config.ts' PORT=4000 BASE_URL=http://accounts.local:4000 npx tollgate seed",
  ],
  [{ DATABASE_URL: 'sqlite:./data/two.db' }, 'DATABASE_URL=sqlite:./data/two.db npx tollgate seed'],
  [{ DATABASE_URL: "sqlite:./it's.db" }, "DATABASE_URL='sqlite:./it'\\''s.db' npx tollgate seed"],
])('with %j the command for the same server is %s', (env, command) => {
  expect(withSameSettings('npx tollgate seed', env)).toBe(command)
})

test('a secret is never printed', () => {
  const env = { SECRET: 's'.repeat(32), DATABASE_URL: 'postgres://tollgate:hidden@db.local/tollgate' }

  expect(withSameSettings('npx tollgate seed', env)).toBe(
    'DATABASE_URL="$DATABASE_URL" SECRET="$SECRET" npx tollgate seed',
  )
})
