import { createHash } from 'node:crypto'
import type { BillingCallName } from '@tollgate/contract/billing'
import type { AuthCallName } from '@tollgate/contract/calls'
import { type ReadSchema, shapeName } from '../../foundation/http/type-text.ts'

type Shapes = ReadonlyMap<string, ReadSchema>

/** What a sample sends, in the wire's spelling. */
type Given = Readonly<Record<'params' | 'query' | 'body', Readonly<Record<string, unknown>>>>

/** What calls send in their samples where the required members alone would say nothing. A test reads them by the contract. */
export const sampleInputs: Readonly<Record<string, Partial<Given>>> = {
  resetPassword: { body: { newPassword: 'correct horse battery', token: 'Zk3vT8qLwN5rXe1YbHc9MfPd' } },
  changePassword: { body: { currentPassword: 'correct horse battery', newPassword: 'a better horse battery' } },
  changeEmail: { body: { newEmail: 'ada@northwind.example' } },
  deleteUser: { body: { password: 'correct horse battery' } },
  oauthCallback: { params: { id: 'google' } },
  oauthCallbackForm: { params: { id: 'apple' } },
  signInOAuth2: { body: { providerId: 'company-sso' } },
  unlinkAccount: { body: { providerId: 'google' } },
  getAccessToken: { body: { providerId: 'google' } },
  refreshToken: { body: { providerId: 'google' } },
  signInUsername: { body: { username: 'ada', password: 'correct horse battery' } },
  adminUpdateBrand: { body: { color: '#3451b2', radius: 'soft' } },
  adminHasPermission: { body: { permissions: { user: ['ban'] } } },
  adminSetRole: { body: { userId: idOf('user', false), role: 'admin' } },
  adminRetryJobs: { body: { kind: 'mail' } },
  createInvitationLink: { body: { role: 'member' } },
  hasPermission: { body: { permissions: { invitation: ['create'] } } },
  createRole: { body: { role: 'support', permission: { invitation: ['create', 'cancel'] } } },
  updateRole: { body: { roleName: 'support', data: { permission: { invitation: ['create'] } } } },
  deleteRole: { body: { roleName: 'support' } },
  getRole: { query: { roleName: 'support' } },
  setActiveOrganization: { body: { organizationSlug: 'northwind' } },
  setActiveTeam: { body: { teamId: idOf('team', false) } },
  createCustomerSession: { body: { customer_id: idOf('customer', true) } },
  createCustomField: {
    body: { type: 'text', slug: 'company_size', name: 'Company size', properties: { form_label: 'Company size' } },
  },
  updateCustomField: { body: { type: 'text', name: 'Number of employees' } },
  createProduct: {
    body: {
      name: 'Pro plan',
      recurring_interval: 'month',
      prices: [{ amount_type: 'fixed', price_currency: 'eur', price_amount: 1900 }],
    },
  },
  createDiscount: {
    body: { name: 'Spring sale', code: 'SPRING25', type: 'percentage', basis_points: 2500, duration: 'once' },
  },
  createMeter: {
    body: {
      name: 'API requests',
      filter: { conjunction: 'and', clauses: [{ property: 'name', operator: 'eq', value: 'api_request' }] },
      aggregation: { func: 'count' },
    },
  },
  updateOrder: { body: { billing_name: 'Northwind GmbH' } },
  addPortalPaymentMethod: { body: { confirmation_token_id: 'ctoken_sandbox_success', set_default: true } },
  confirmPortalPaymentMethod: { body: { setup_intent_id: 'seti_1QX1z2Abc', set_default: true } },
  createSubscription: { body: { product_id: idOf('product', true), customer_id: idOf('customer', true) } },
  previewSubscription: { body: { product_id: idOf('product', true), customer_id: idOf('customer', true) } },
  changeCustomerBalance: { body: { amount: 500, currency: 'usd', reason: 'For the outage of 3 March' } },
  voidOrder: { body: { reason: 'Paid for twice by mistake' } },
  markOrderPaid: { body: { reference: 'Bank transfer of 3 March, NW-2041' } },
  pauseSubscription: { body: { at: 'now' } },
  createPriceChange: { body: { product_id: idOf('product', true), starts_at: '2027-03-01T00:00:00Z' } },
  previewPriceChange: { body: { product_id: idOf('product', true), starts_at: '2027-03-01T00:00:00Z' } },
  setSubscriptionSchedule: {
    body: {
      phases: [
        { discount_id: idOf('discount', true), periods: 3 },
        { product_id: idOf('product', true), discount_id: null },
      ],
    },
  },
  updateSubscription: { body: { product_id: idOf('product', true), proration_behavior: 'invoice' } },
  updateTaxSettings: { body: { legal_name: 'Northwind GmbH', registrations: [{ country: 'DE' }] } },
  createFile: {
    body: {
      name: 'handbook.pdf',
      mime_type: 'application/pdf',
      size: 184_320,
      service: 'downloadable',
      upload: { parts: [{ number: 1, chunk_start: 0, chunk_end: 184_320 }] },
    },
  },
  updateCheckoutLink: { body: { label: 'Newsletter' } },
  confirmClientCheckout: {
    body: { customer_email: 'ada@example.com', confirmation_token_id: 'ctoken_sandbox_success' },
  },
  createSandboxConfirmationToken: { body: { number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' } },
  testWebhookEndpoint: { body: { type: 'order.paid' } },
  createWebhookEndpoint: { body: { url: 'https://example.com/webhooks', events: ['order.paid'] } },
} satisfies Partial<Record<AuthCallName | BillingCallName, Partial<Given>>>

/** What a member is called by the object that has it. */
const names: readonly (readonly [owner: RegExp, name: string])[] = [
  [/custom_?field/i, 'Company size'],
  [/product/i, 'Pro plan'],
  [/discount/i, 'Spring sale'],
  [/meter/i, 'API requests'],
  [/file/i, 'handbook.pdf'],
  [/endpoint|webhook/i, 'Production'],
  [/team/i, 'Design'],
  [/^rate/i, 'VAT'],
  [/organi[sz]ation|merchant|storefront|seller/i, 'Northwind'],
]

/** Texts by the name of the member, for the types that say too little. */
const texts: readonly (readonly [member: RegExp, value: string])[] = [
  [/emails?$/i, 'ada@example.com'],
  [/password$/i, 'correct horse battery'],
  [/^(?:country|registered_?country)$/i, 'DE'],
  [/currenc(?:y|ies?)$/i, 'eur'],
  [/hash$/i, 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  [/slug$/i, 'northwind'],
  [/(?:url|uri|image|logo|icon|avatar|picture|href|link)$|^redirect/i, 'https://example.com/welcome'],
  [/(?:^|_)ip(?:_?address)?$|^ipAddress$/i, '203.0.113.7'],
  [/user_?agent$/i, 'Mozilla/5.0'],
  [/username$/i, 'ada'],
  [/roles?$/i, 'member'],
  [/domains?$/i, 'northwind.example'],
  [/wallet$/i, 'apple_pay'],
  [/otp$/i, '123456'],
  [/client_?secret$/i, 'tollgate_cs_4QvN8sKdT1xWbZ'],
  [/secret$/i, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [/(?:token|proof)$/i, 'Zk3vT8qLwN5rXe1YbHc9MfPd'],
  [/^(?:code|discount_?code)$/i, 'SPRING25'],
  [/note$/i, 'Refunded in the bank’s portal.'],
  [/kind$/i, 'mail'],
  [/mime_?type$/i, 'application/pdf'],
  [/path$/i, 'downloads/handbook.pdf'],
  [/etag/i, '"9b2cf535f27731c974343645a3985328"'],
  [/comment$/i, 'Deployment'],
  [/line_?1$/i, 'Hauptstraße 5'],
  [/line_?2$/i, '2nd floor'],
  [/postal_?code$/i, '10115'],
  [/city$/i, 'Berlin'],
  [/state$/i, 'BE'],
  [/percent$/i, '19'],
  [/tax_?id$/i, 'DE123456789'],
  [/last_?4$/i, '4242'],
  [/invoice_?number$|^number$/i, 'NW-2027-0001'],
  [/description$/i, 'Everything in Atlas, for teams'],
  [/^(?:label|about)$/i, 'Newsletter'],
  [/form_?label$/i, 'Company size'],
  [/form_?help_?text$/i, 'The number of your employees'],
  [/form_?placeholder$/i, '50'],
  [/feature$/i, 'Unlimited projects'],
  [/acquisition$/i, 'Newsletter'],
  [/period$/i, '2027-01-31'],
  [/scope/i, 'products:read'],
  [/visibility$/i, 'public'],
  [/source$/i, 'catalog'],
  [/^type$|^event/i, 'order.paid'],
  [/benefit$/i, 'Priority support'],
  [/meter$/i, 'API requests'],
  [/^seller$/i, 'Northwind'],
  [/^product$/i, 'Pro plan'],
  [/size_?readable$/i, '180 kB'],
  [/cursor$/i, 'eyJhIjoiMjAyNy0wMS0zMSJ9'],
  [/locale$/i, 'de'],
  [/timezone$/i, 'Europe/Berlin'],
  [/ban_?reason$/i, 'Spam'],
  [/(?:decline|failure)_?reason$/i, 'insufficient_funds'],
  [/reason$/i, 'duplicate'],
  [/color$/i, '#3451b2'],
  [/background$/i, '#ffffff'],
  [/api_?version$/i, '2026-01'],
  [/version$/i, '1'],
  [/website$|origin$/i, 'https://northwind.example'],
  [/sha256_?hex$/i, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
  [/sha256_?base64$/i, 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='],
  [/impersonated_?by$/i, 'Grace Hopper'],
  [/^brand$/i, 'visa'],
  [/(?:receipt|credit_?note)_?number$/i, 'NW-R-2027-0001'],
  [/provider$/i, 'google'],
  [/processor$/i, 'stripe'],
  [/reference$/i, 'pi_3QX1z2Abc'],
  [/payload$|^body$|response$/i, '{"type":"order.paid"}'],
  [/message$/i, 'The card has insufficient funds.'],
  [/last_?four$/i, '4242'],
  [/date$|^as_?of$/i, '2027-01-31'],
  [/method$/i, 'card'],
  [/error$/i, 'connect ECONNREFUSED 203.0.113.7:443'],
  [/token_?type$/i, 'Bearer'],
  [/switching_?from$/i, 'month'],
  [/intended_?use$/i, 'Accounting'],
  [/kty$/i, 'OKP'],
  [/alg$/i, 'EdDSA'],
  [/value$/i, 'tollgate-verification=Zk3vT8qLwN5r'],
  [/name$/i, 'Ada Lovelace'],
]

/** Numbers by the name of the member. */
const numbers: readonly (readonly [member: RegExp, value: number])[] = [
  [/(?:platform_?fee|discount|refunded|refunded_?tax|applied_?balance)_?amount$/i, 0],
  [/tax_?amount$/i, 361],
  [/(?<!sub)total_?amount$|due_?amount$/i, 2261],
  [/amount$|revenue$/i, 1900],
  [/basis_?points$/i, 2500],
  [/^limit$/, 10],
  [/size$/i, 184_320],
  [/exp_?month$/i, 12],
  [/exp_?year$/i, 2030],
  [/status$/i, 200],
]

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2027-01-31T12:00:00.000Z',
  date: '2027-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/welcome',
}

/** Members that are null, where they can be, because nothing has gone wrong or ended. */
const absent =
  /(?:deleted|cancell?ed|ends|ended|voided|past_?due|archived|revoked|resolved|failed|expired)_?at$|^ban_?(?:reason|expires)$|impersonated_?by|cancellation|failure|decline|^seats$/i

/** What is true only in a special case. */
const seldom = /archived|banned|exempt|lacks|cancel|deleted|expired|revoked|failing/i

/** States that answers show, where they have them. */
const usual: readonly unknown[] = ['paid', 'active', 'succeeded', 'accepted', 'open']

/** Things of accounts, whose ids are no UUIDs in billing either. */
const accountThings = ['user', 'organization', 'buyerorganization', 'actor', 'event', 'subject']

/** Names that say nothing of what they hold. */
const transparent = ['', 'item', 'data']

/** Members that a sample shows where none is required: the first one that the object has. */
const telling = ['products', 'productId', 'name', 'customer_email', 'email', 'metadata', 'scopes', 'description']

/** Members of an answer below this depth are null or empty where they can be. */
const deepest = 3

/** For a member that no row knows. A test finds it. */
export const unknownText = 'text without a sample'

/** Where a sample value stands. */
type Place = {
  readonly io: 'input' | 'output'
  /** The member's own name. */
  readonly name?: string
  /** What has the member: a call, a shape or another member. */
  readonly owner?: string
  /** Whether it is a part of billing, where most ids are UUIDs. */
  readonly isBilling: boolean
  readonly depth?: number
  /** Shapes that the value is a part of. */
  readonly within?: readonly string[]
}

/** A sample of a value. A body holds what is required; an answer holds every member. */
export function sampleOf(schema: ReadSchema, shapes: Shapes, place: Place): unknown {
  const { io, name = '', owner = '', depth = 0, within = [] } = place
  const inner = (given: ReadSchema, change: Partial<Place> = {}) => sampleOf(given, shapes, { ...place, ...change })
  if (schema.$ref) {
    const shape = shapeName(schema.$ref)
    return inner(shapes.get(shape) ?? {}, { within: [...within, shape], ...(!name && { owner: shape }) })
  }
  if ('const' in schema) return schema.const
  if (schema.default !== undefined && io === 'input') return schema.default
  if (schema.enum) return (io === 'output' && schema.enum.find((value) => usual.includes(value))) || schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const isNullable = choices.some(({ type }) => type === 'null')
    const isInside = choices.some(({ $ref }) => $ref !== undefined && within.includes(shapeName($ref)))
    const choice = choices.find(({ type }) => type !== 'null')
    return choice && !(isNullable && (depth > deepest || isInside || absent.test(name))) ? inner(choice) : null
  }
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => inner(each)))
  const types = [schema.type ?? []].flat()
  if (types.includes('null') && (types.length === 1 || depth > deepest || absent.test(name))) return null
  if (types.includes('array')) {
    const item = schema.items ?? {}
    const isInside = item.$ref !== undefined && within.includes(shapeName(item.$ref))
    if (io === 'output' && (depth > deepest || isInside)) return []
    return [inner(item, { name: name.replace(/(?<!s)s$/, ''), depth: depth + 1 })]
  }
  if (schema.properties) {
    const { properties, required = [] } = schema
    const needed = required.length > 0 ? required : telling.filter((key) => key in properties).slice(0, 1)
    const shown = Object.entries(properties).filter(([key]) => io === 'output' || needed.includes(key))
    const of = transparent.includes(name) ? owner : name
    return Object.fromEntries(
      shown.map(([key, member]) => [key, inner(member, { name: key, owner: of, depth: depth + 1 })]),
    )
  }
  if (types.includes('object')) return {}
  if (types.includes('boolean')) return !seldom.test(name)
  if (types.includes('integer') || types.includes('number')) return sampleNumber(schema, name)
  return sampleText(schema, place)
}

function sampleNumber({ minimum, maximum }: ReadSchema, name: string): number {
  const named = numbers.find(([pattern]) => pattern.test(name))?.[1] ?? minimum ?? 1
  return Math.min(Math.max(named, minimum ?? named), maximum ?? named)
}

function sampleText({ format }: ReadSchema, { name = '', owner = '', isBilling }: Place): string {
  const noun = nounOf(name, owner)
  if (format === 'uuid') return idOf(noun, true)
  const formatted = format === undefined ? undefined : byFormat[format]
  if (formatted !== undefined) return formatted
  if (/provider_?id$/i.test(name)) return 'google'
  if (/external_?id$/i.test(name)) return 'user_1042'
  if (/(?<!tax_?)ids?$/i.test(name)) return idOf(noun, isBilling && !accountThings.includes(noun))
  if (/^name$/i.test(name)) return names.find(([pattern]) => pattern.test(owner))?.[1] ?? 'Ada Lovelace'
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? unknownText
}

/** The thing that an id names: `customer` for `customer_id` of anything, and for `id` of `getCustomer`. */
function nounOf(name: string, owner: string): string {
  const own = name.replace(/_?ids?$/i, '').replace(/^active/, '')
  const named = own || owner.replace(/^(?:admin)?[A-Za-z]?[a-z]+(?=[A-Z])/, '')
  return named.replaceAll('_', '').toLowerCase().replace(/s$/, '').replace('merchant', 'organization')
}

/** An id of its own for each kind of thing: a UUID in billing, 32 letters and digits elsewhere. */
function idOf(noun: string, isUuid: boolean): string {
  const digest = createHash('sha256').update(noun).digest()
  const letters = digest.toString('base64').replace(/[^A-Za-z0-9]/g, '')
  if (!isUuid) return letters.slice(0, 32)
  const hex = digest.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
