import { randomBytes, scrypt } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { watchBusy } from './busy.ts'
import type { JobResult } from './job.ts'
import { pause, summarise } from './latencies.ts'

// The password hash alone, without any server: what no sign-in can be faster than. Runs on the server's core.

const [kind, atOnce, warmUpSeconds, seconds] = process.argv.slice(2)

const kinds = {
  /** The parameters Tollgate stores passwords with; the package's number for argon2id is 2. */
  argon2id: () =>
    hash('correct horse battery staple', { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  /** The parameters better-auth stores passwords with. */
  scrypt: () =>
    new Promise((resolve, reject) => {
      const salt = randomBytes(16).toString('hex')
      const cost = { N: 16_384, r: 16, p: 1, maxmem: 67_108_864 }
      scrypt('correct horse battery staple', salt, 64, cost, (error, key) => (error ? reject(error) : resolve(key)))
    }),
}

const run = kinds[kind === 'scrypt' ? 'scrypt' : 'argon2id']
const latencies: number[] = []
let measuring = false
let stopped = false

const loops = Array.from({ length: Number(atOnce) }, async () => {
  while (!stopped) {
    const startedAt = performance.now()
    await run()
    if (measuring) latencies.push(performance.now() - startedAt)
  }
})
await pause(Number(warmUpSeconds))
const busy = watchBusy(process.pid)
const startedAt = performance.now()
measuring = true
await pause(Number(seconds))
measuring = false
const elapsed = (performance.now() - startedAt) / 1000
const shares = busy()
stopped = true
await Promise.all(loops)

const result: JobResult = {
  streams: [{ ...summarise(latencies, elapsed), errors: 0, statuses: {}, bodyBytes: 0 }],
  busy: shares,
}
process.stdout.write(JSON.stringify(result))
