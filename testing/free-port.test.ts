import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { freePort } from './free-port.ts'

test('two workers are never given the same port, nor one that the system gives to connections', async () => {
  const portsOf = async (worker: string) => {
    vi.stubEnv('VITEST_POOL_ID', worker)
    const ports: number[] = []
    while (ports.length < 700) ports.push(await freePort())
    return ports
  }
  const [one, other] = [await portsOf('1'), await portsOf('2')]
  vi.unstubAllEnvs()
  expect(one.filter((port) => other.includes(port))).toEqual([])
  expect(Math.max(...one, ...other)).toBeLessThan(32_768)
})

test('a port on which a program listens is passed over', async () => {
  await using taken = createServer()
  const first = await freePort()
  await new Promise<void>((resolve) => taken.listen(first + 1, '127.0.0.1', resolve))
  expect(await freePort()).not.toBe(first + 1)
})
