import { expect, test } from 'vitest'
import { apiCall, curlOf } from './api-command.ts'

const origin = 'https://pay.example.com'
const id = '0b0e5f6e-9d0c-4b4e-8a1f-5a4b9f0e7c11'

test('a list is asked for with its filters in the wire’s spelling, each value by itself', () => {
  const call = apiCall('listOrders', { limit: 50, sorting: ['-net_amount'], productId: [id, id], query: 'a&b c' })

  expect(curlOf(origin, call)).toBe(
    `curl 'https://pay.example.com/v1/orders?limit=50&sorting=-net_amount&product_id=${id}&product_id=${id}&query=a%26b+c' \\
  -H "Authorization: Bearer $TOLLGATE_TOKEN"`,
  )
})

test('a change is sent as JSON; what is in it cannot end the quotation', () => {
  const call = apiCall('updateCustomer', { id, billingName: "O'Hara", metadata: { userId: 'x' } })

  expect(curlOf(origin, call)).toBe(
    `curl -X PATCH 'https://pay.example.com/v1/customers/${id}' \\
  -H "Authorization: Bearer $TOLLGATE_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "billing_name": "O'\\''Hara",
  "metadata": {
    "userId": "x"
  }
}'`,
  )
})

test('a name in the path is encoded, and a deletion has no body', () => {
  expect(curlOf(origin, apiCall('deleteExternalCustomer', { externalId: "a/b'c" }))).toBe(
    `curl -X DELETE 'https://pay.example.com/v1/customers/external/a%2Fb'\\''c' \\
  -H "Authorization: Bearer $TOLLGATE_TOKEN"`,
  )
})
