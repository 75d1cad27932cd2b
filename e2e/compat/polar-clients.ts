import { createPolar as createPolar202604 } from '@polar-sh/sdk/2026-04'
import { createPolar as createPolar202610 } from '@polar-sh/sdk/2026-10'
import { createPolar as createPolar202701 } from '@polar-sh/sdk/2027-01'
import { fromWire, toWire } from '../../packages/contract/src/billing/calls.ts'
import { Polar } from './polar-0.32/client.ts'

// biome-ignore lint/suspicious/noExplicitAny: two generations of a client type their answers differently; tests look into both
type Data = any
type Call = (...given: Data[]) => Promise<Data>

/** What both generations can be asked, by the names of both; in the spelling of the wire, in and out. */
export type PolarClient = {
  /** A page of a list. */
  list(resource: string, query?: object): Promise<Data>
  create(resource: string, body: object): Promise<Data>
  get(resource: string, id: string): Promise<Data>
  update(resource: string, id: string, body: object): Promise<Data>
  remove(resource: string, id: string): Promise<void>
  /** Calls that only one resource has. */
  readonly getExternalCustomer: (externalId: string) => Promise<Data>
  readonly updateExternalCustomer: (externalId: string, body: object) => Promise<Data>
  readonly removeExternalCustomer: (externalId: string) => Promise<void>
  readonly getCustomerState: (id: string) => Promise<Data>
  readonly getExternalCustomerState: (externalId: string) => Promise<Data>
  readonly completeFile: (id: string, body: object) => Promise<Data>
  readonly updateProductBenefits: (id: string, body: object) => Promise<Data>
  readonly getOrderInvoice: (id: string) => Promise<Data>
  readonly revokeSubscription: (id: string) => Promise<Data>
  readonly getClientCheckout: (secret: string) => Promise<Data>
  readonly updateClientCheckout: (secret: string, body: object) => Promise<Data>
  readonly confirmClientCheckout: (secret: string, body: object) => Promise<Data>
  /** The saved payment methods of a customer; only 1.0.x has the calls. */
  readonly listCustomerMethods?: (id: string) => Promise<Data>
}

/** What both generations let customers do, by the token of a portal session. */
export type PolarPortal = {
  readonly getMe: () => Promise<Data>
  readonly updateMe: (body: object) => Promise<Data>
  readonly listMethods: () => Promise<Data>
  readonly addMethod: (body: object) => Promise<Data>
  readonly removeMethod: (id: string) => Promise<void>
  /** Only 1.0.x has it. */
  readonly confirmMethod?: (body: object) => Promise<Data>
}

export type PolarVersion = {
  readonly name: string
  /** Whether the client can say that a discount is for some months (billing contract, trap 13). */
  readonly knowsRepeating: boolean
  client(baseURL: string, token: string): PolarClient
  portal(baseURL: string, customerToken: string): PolarPortal
  /** The class of a refusal that the client has thrown, and what the server said. */
  problemOf(error: unknown): { readonly name: string; readonly detail: Data }
}

/** How 0.32.16 calls the body of a change. */
const changes: Readonly<Record<string, string>> = {
  organizations: 'organizationUpdate',
  products: 'productUpdate',
  customFields: 'customFieldUpdate',
  meters: 'meterUpdate',
  files: 'filePatch',
  customers: 'customerUpdate',
  discounts: 'discountUpdate',
  checkoutLinks: 'checkoutLinkUpdate',
  checkouts: 'checkoutUpdate',
  subscriptions: 'subscriptionUpdate',
}

/** What the client has made of an answer, as the wire had it: times are texts again. */
const wired = (made: Data): Data => toWire(JSON.parse(JSON.stringify(made)))

function openChecking(baseURL: string, token: string): PolarClient {
  const sdk = new Polar({ serverURL: baseURL, accessToken: token })
  const services = sdk as unknown as Record<string, Record<string, Call>>
  const call = async (resource: string, method: string, given: object) =>
    wired(await services[resource]![method]!(given))
  const ours = (body: object) => fromWire(body) as object
  return {
    list: async (resource, query = {}) => (await call(resource, 'list', ours(query))).result,
    create: (resource, body) => call(resource, 'create', ours(body)),
    get: (resource, id) => call(resource, 'get', { id }),
    update: (resource, id, body) => call(resource, 'update', { id, [changes[resource]!]: ours(body) }),
    remove: async (resource, id) => void (await services[resource]!.delete!({ id })),
    getExternalCustomer: (externalId) => call('customers', 'getExternal', { externalId }),
    updateExternalCustomer: (externalId, body) =>
      call('customers', 'updateExternal', { externalId, customerUpdateExternalID: ours(body) }),
    removeExternalCustomer: async (externalId) => void (await services.customers!.deleteExternal!({ externalId })),
    getCustomerState: (id) => call('customers', 'getState', { id }),
    getExternalCustomerState: (externalId) => call('customers', 'getStateExternal', { externalId }),
    completeFile: (id, body) => call('files', 'uploaded', { id, fileUploadCompleted: ours(body) }),
    updateProductBenefits: (id, body) => call('products', 'updateBenefits', { id, productBenefitsUpdate: ours(body) }),
    getOrderInvoice: (id) => call('orders', 'invoice', { id }),
    revokeSubscription: (id) => call('subscriptions', 'revoke', { id }),
    getClientCheckout: (clientSecret) => call('checkouts', 'clientGet', { clientSecret }),
    updateClientCheckout: (clientSecret, body) =>
      call('checkouts', 'clientUpdate', { clientSecret, checkoutUpdatePublic: ours(body) }),
    confirmClientCheckout: (clientSecret, body) =>
      call('checkouts', 'clientConfirm', { clientSecret, checkoutConfirmStripe: ours(body) }),
  }
}

function openCheckingPortal(serverURL: string, customerSession: string): PolarPortal {
  const { customers } = new Polar({ serverURL }).customerPortal
  const by = { customerSession }
  const ours = (body: object): Data => fromWire(body)
  return {
    getMe: async () => wired(await customers.get(by)),
    updateMe: async (body) => wired(await customers.update(by, ours(body))),
    listMethods: async () => wired((await customers.getPaymentMethods(by, {})).result),
    addMethod: async (body) => wired(await customers.addPaymentMethod(by, ours(body))),
    removeMethod: async (id) => void (await customers.deletePaymentMethod(by, { id })),
  }
}

function openPlain(services: Record<string, Record<string, Call>>): PolarClient {
  const call = (resource: string, method: string, ...given: Data[]) => services[resource]![method]!(...given)
  return {
    list: (resource, query) => call(resource, 'list', query),
    create: (resource, body) => call(resource, 'create', body),
    get: (resource, id) => call(resource, 'get', id),
    update: (resource, id, body) => call(resource, 'update', id, body),
    remove: async (resource, id) => void (await call(resource, 'delete', id)),
    getExternalCustomer: (id) => call('customers', 'getExternal', id),
    updateExternalCustomer: (id, body) => call('customers', 'updateExternal', id, body),
    removeExternalCustomer: async (id) => void (await call('customers', 'deleteExternal', id)),
    getCustomerState: (id) => call('customers', 'getState', id),
    getExternalCustomerState: (id) => call('customers', 'getStateExternal', id),
    completeFile: (id, body) => call('files', 'uploaded', id, body),
    updateProductBenefits: (id, body) => call('products', 'updateBenefits', id, body),
    getOrderInvoice: (id) => call('orders', 'invoice', id),
    revokeSubscription: (id) => call('subscriptions', 'revoke', id),
    getClientCheckout: (secret) => call('checkouts', 'clientGet', secret),
    updateClientCheckout: (secret, body) => call('checkouts', 'clientUpdate', secret, body),
    confirmClientCheckout: (secret, body) => call('checkouts', 'clientConfirm', secret, body),
    listCustomerMethods: (id) => call('customers', 'listPaymentMethods', id),
  }
}

function openPlainPortal({ customers }: Record<string, Record<string, Call>>): PolarPortal {
  return {
    getMe: () => customers!.get!(),
    updateMe: (body) => customers!.update!(body),
    listMethods: () => customers!.listPaymentMethods!(),
    addMethod: (body) => customers!.addPaymentMethod!(body),
    removeMethod: async (id) => void (await customers!.deletePaymentMethod!(id)),
    confirmMethod: (body) => customers!.confirmPaymentMethod!(body),
  }
}

type Made = (options: { baseUrl: string; accessToken: string; timeout: number }) => object

const plain = (version: string, create: Made): PolarVersion => ({
  name: `@polar-sh/sdk 1.0.1, ${version}`,
  knowsRepeating: true,
  client: (baseUrl, accessToken) =>
    openPlain(create({ baseUrl, accessToken, timeout: 30 }) as Record<string, Record<string, Call>>),
  portal: (baseUrl, accessToken) => {
    const { customerPortal } = create({ baseUrl, accessToken, timeout: 30 }) as Record<string, Data>
    return openPlainPortal(customerPortal)
  },
  problemOf: (error) => {
    const { error: body } = error as { error: { detail?: unknown } | string }
    return { name: (error as Error).constructor.name, detail: typeof body === 'string' ? body : body?.detail }
  },
})

export const polarVersions: readonly PolarVersion[] = [
  {
    name: '@polar-sh/sdk 0.32.16',
    knowsRepeating: false,
    client: openChecking,
    portal: openCheckingPortal,
    problemOf: (error) => ({ name: (error as Error).name, detail: (error as { detail?: unknown }).detail }),
  },
  plain('2026-04', createPolar202604),
  plain('2026-10', createPolar202610),
  plain('2027-01', createPolar202701),
]
