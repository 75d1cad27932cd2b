import { expect, test } from 'vitest'
import { deliveriesQueryOf, typeIn } from './webhook-deliveries.query.ts'
import { deliveriesSearchIn } from './webhook-deliveries.search.ts'
import { webhooks } from './webhooks.resource.ts'

test('what an address cannot mean counts as not said', () => {
  expect(webhooks.searchIn({ sort: 'secret' })).toEqual({})
  const search = deliveriesSearchIn({ status: 'maybe', type: 'order.eaten', sort: 'created' })
  expect(search.status).toBeUndefined()
  expect(typeIn(search)).toBeUndefined()
  expect(deliveriesQueryOf('id', search)).toEqual({ limit: 50, sorting: ['created_at'], endpointId: ['id'] })
})

test('endpoints are asked for in the order of the address, the newest first by themselves', () => {
  expect(webhooks.queryOf({})).toMatchObject({ sorting: ['-created_at'] })
  expect(webhooks.queryOf(webhooks.searchIn({ sort: '-url' }))).toMatchObject({ sorting: ['-url'] })
})

test('deliveries are those of the endpoint, narrowed by outcome and event', () => {
  const id = '6d9a5f0e-45f0-4a55-8d1e-0e7a3a3f4f10'
  const search = deliveriesSearchIn({ status: 'failed', type: 'order.paid' })
  expect(deliveriesQueryOf(id, search)).toMatchObject({ endpointId: [id], succeeded: false, type: ['order.paid'] })
  expect(deliveriesQueryOf(id, {})).not.toHaveProperty('succeeded')
})
