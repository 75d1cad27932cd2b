import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { fromNode } from './node-request.ts'

test('a body that is read after its connection ended is refused', async () => {
  const incoming = new IncomingMessage(new Socket())
  incoming.destroy()
  await once(incoming, 'close')

  await expect(fromNode(incoming, 'http://localhost').arrayBuffer()).rejects.toThrow('the connection has ended')
})
