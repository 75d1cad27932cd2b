import { createServer } from 'node:net'

/** Ports below those that systems give to outgoing connections (from 32768 on Linux, from 49152 elsewhere). */
const lowest = 10_000

/** Each worker of the test runner takes ports of its own, so that two of them never choose the same one. */
const perWorker = 600

const workers = 36

let turn = Math.floor(Math.random() * perWorker)

/** A port of this machine on which no program listens, and which no other worker is given. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % workers
  for (let tries = 0; tries < perWorker; tries++) {
    const port = lowest + worker * perWorker + (turn++ % perWorker)
    if (await isFree(port)) return port
  }
  throw new Error(`None of the ports from ${lowest + worker * perWorker} on is free`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
