import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tollgate } from '../packages/server/src/app/server.ts'
import { onEachDatabase, report, startTollgate } from './each-database.ts'

/*
 * How long one process takes to tell a receiver on this machine of 10,000 events that wait for it, on each database: written
 * as messages, signed, sent, and noted. The receiver runs in this process, too. `node bench/webhooks.ts`.
 */

const count = 10_000
/** In seconds, as the bar has it. */
const bar = 30
/** As a checkout or an order takes, in bytes. */
const payloadSize = 3000
const rowsAtOnce = 500

await onEachDatabase(measure)

async function measure(name: string, databaseUrl: string): Promise<void> {
  const told = new Set<string>()
  let requests = 0
  const receiver = createServer((request, response) => {
    requests += 1
    told.add(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo // it listens

  const tollgate = await startTollgate(databaseUrl, { billing: { whoMaySell: 'everyone' } })
  const organizationId = await withEvents(tollgate)
  const { id } = await tollgate.api.createWebhookEndpoint({
    body: { url: `http://127.0.0.1:${port}/`, events: ['product.updated'], organizationId },
  })
  const start = performance.now()
  await tollgate.api.replayWebhookEvents({
    params: { id },
    query: { organizationId },
    body: { since: '2026-01-01T00:00:00Z' },
  })
  const pending = async () => {
    const endpoint = await tollgate.api.getWebhookEndpoint({ params: { id }, query: { organizationId } })
    return told.size < count || endpoint.pendingCount > 0
  }
  while ((await pending()) && performance.now() - start < bar * 4000) await wait(50)
  const seconds = (performance.now() - start) / 1000
  await tollgate.close()
  receiver.closeAllConnections()
  receiver.close()

  const isMet = seconds <= bar && told.size === count && requests === count
  const result = `${told.size} events in ${seconds.toFixed(1)} s, ${requests} requests`
  report(name, result, `${count}, in at most ${bar} s`, isMet)
}

/** An organization in which a great many things have happened to some objects; its id. */
async function withEvents({ api, internals: { ctx } }: Tollgate): Promise<string> {
  const account = { name: 'Seller', email: 'seller@bench.example', password: 'correct horse battery' }
  const { user } = await api.signUpEmail({ body: account })
  const { id: organizationId } = await api.createOrganization({ body: { name: 'Shop', slug: 'shop', userId: user.id } })
  const now = ctx.clock.now()
  const begin = now.getTime().toString(36).padStart(9, '0')
  for (let at = 0; at < count; at += rowsAtOnce) {
    const events = Array.from({ length: rowsAtOnce }, (_, index) => ({
      id: `${begin}${String(at + index).padStart(8, '0')}`,
      type: 'product.updated',
      merchantId: organizationId,
      subjectId: `object ${(at + index) % 1000}`,
      payload: JSON.stringify({ id: at + index, text: 'x'.repeat(payloadSize) }),
      createdAt: now,
    }))
    await ctx.transaction((tx) => tx.insertInto('event').values(events).execute())
  }
  return organizationId
}
