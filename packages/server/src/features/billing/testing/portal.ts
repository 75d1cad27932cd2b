import type { TestAnswer, TestServer } from '../../../testing.ts'
import type { TestMerchant } from './merchant.ts'

/** A customer with the token of their portal session. */
export type TestCustomer = {
  readonly id: string
  readonly token: string
  /** Calls below `/v1/customer-portal/customers/me`. */
  get(path?: string): Promise<TestAnswer>
  post(path: string, body: object, headers?: Record<string, string>): Promise<TestAnswer>
  patch(body: object): Promise<TestAnswer>
  delete(path: string): Promise<TestAnswer>
  /** Adds the card of a token of the sandbox, or of another processor. */
  add(card: string, given?: object): Promise<TestAnswer>
  /** The saved methods, newest first. */
  methods(): Promise<TestAnswer['body'][]>
}

/** Opens the portal for a customer. */
export async function openPortal(server: TestServer, seller: TestMerchant, id: string): Promise<TestCustomer> {
  const { body } = await seller.post('/customer-sessions', { customer_id: id })
  const authorization = `Bearer ${body.token}`
  const call = (method: string, path: string, sent?: object, headers: Record<string, string> = {}) =>
    server.visitor().request(method, `/v1/customer-portal/customers/me${path}`, {
      headers: { authorization, ...headers },
      ...(sent && { body: sent }),
    })
  return {
    id,
    token: body.token,
    get: (path = '') => call('GET', path),
    post: (path, sent, headers) => call('POST', path, sent, headers),
    patch: (sent) => call('PATCH', '', sent),
    delete: (path) => call('DELETE', path),
    add: (card, given = {}) =>
      call('POST', '/payment-methods', {
        confirmation_token_id: card.startsWith('ctoken') ? card : `ctoken_sandbox_${card}`,
        set_default: false,
        return_url: 'https://example.com/account',
        ...given,
      }),
    methods: async () => (await call('GET', '/payment-methods?limit=100')).body.items,
  }
}
