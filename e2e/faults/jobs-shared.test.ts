import { expect, test } from 'vitest'
import { enqueue } from '../../packages/server/src/foundation/jobs.ts'
import { createSecrets } from '../../packages/server/src/foundation/token.ts'
import { freePort } from '../../testing/free-port.ts'
import { freshPostgres } from './databases.ts'
import { startMailServer } from './mail-server.ts'
import { startServer, until } from './server-process.ts'
import { lookInto } from './state.ts'

const secret = 'a secret of tests that is long enough to be one'
const senders = ['one@tollgate.example', 'two@tollgate.example']
const count = 500
const addressOf = (number: number) => `buyer-${number}@example.com`

test('two processes on one PostgreSQL share the jobs: each is done, and none twice', { timeout: 600_000 }, async () => {
  await using database = await freshPostgres()
  await using mails = await startMailServer(await freePort())
  const start = (sender: string) =>
    startServer({
      databaseUrl: database.url,
      env: { TOLLGATE_MODE: 'production', SECRET: secret, SMTP_URL: mails.url, EMAIL_FROM: `Gate <${sender}>` },
    })
  await using first = await start(senders[0]!)
  await using second = await start(senders[1]!)

  await orderMails(database.url)
  await until('every mail', 40_000, async () => mails.received.length >= count)
  await until('nothing left to do', 10_000, async () => (await waiting(database.url)) === 0)

  const addresses = mails.received.flatMap(({ to }) => to)
  expect(addresses.toSorted()).toEqual(Array.from({ length: count }, (_, number) => addressOf(number)).toSorted())
  const bySender = senders.map((sender) => mails.received.filter(({ from }) => from === sender).length)
  // Neither stood by while the other one worked.
  for (const sent of bySender) expect(sent).toBeGreaterThan(count / 10)
  expect(`${first.output()}${second.output()}`).not.toMatch(/Job failed|Cannot /)
})

/** Orders the mails as the server does, in one transaction that both processes learn of by looking. */
async function orderMails(url: string): Promise<void> {
  const { seal } = createSecrets(secret, [])
  const payloads = Array.from({ length: count }, (_, number) =>
    seal(
      JSON.stringify({
        to: addressOf(number),
        locale: 'en',
        template: 'password-changed',
        data: { name: `Buyer ${number}` },
      }),
    ),
  )
  await lookInto(url, async ({ db, now }) => {
    const at = await now()
    await db.transaction().execute(async (tx) => {
      for (const payload of payloads) await enqueue(tx, at, { kind: 'mail', payload })
    })
  })
}

const waiting = (url: string): Promise<number> =>
  lookInto(url, async ({ db }) => (await db.selectFrom('job').select('id').where('kind', '=', 'mail').execute()).length)
