/** Scopes of organization access tokens (billing contract, section 1); a `:write` scope includes its `:read`. */
const resources = [
  'organizations',
  'custom_fields',
  'discounts',
  'checkout_links',
  'checkouts',
  'products',
  'benefits',
  'events',
  'meters',
  'files',
  'subscriptions',
  'customers',
  'orders',
  'refunds',
  'webhooks',
  'license_keys',
] as const

export type Scope =
  | `${(typeof resources)[number]}:${'read' | 'write'}`
  | 'customer_meters:read'
  | 'customer_sessions:write'
  | 'payments:read'
  | 'metrics:read'
  | 'customer_portal:read'
  | 'customer_portal:write'

/** Every scope, in the order of the form. */
export const scopes: readonly Scope[] = [
  ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`] as const),
  'customer_meters:read',
  'customer_sessions:write',
  'payments:read',
  'metrics:read',
  'customer_portal:read',
  'customer_portal:write',
]

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text)

/** Whether the held scopes include another one. */
export const holdsScope = (held: readonly string[], asked: Scope): boolean =>
  held.includes(asked) || (asked.endsWith(':read') && held.includes(asked.replace(/:read$/, ':write')))

type Permission = { readonly resource: string; readonly action: string }

/** The permission resource of a scope's resource; `tokens` is for members only. */
const resourceOf: Readonly<Record<string, string>> = {
  organizations: 'organization',
  products: 'product',
  custom_fields: 'product',
  checkout_links: 'product',
  files: 'product',
  discounts: 'discount',
  checkouts: 'order',
  orders: 'order',
  payments: 'order',
  refunds: 'order',
  metrics: 'order',
  subscriptions: 'subscription',
  customers: 'customer',
  customer_sessions: 'customer',
  customer_portal: 'customer',
  benefits: 'benefit',
  license_keys: 'benefit',
  meters: 'meter',
  events: 'meter',
  customer_meters: 'meter',
  webhooks: 'webhook',
}

/** The permission that a signed-in member needs for a scope; every member may read the organization's settings. */
export function permissionOf(scope: Scope): Permission | undefined {
  const [name = '', action = ''] = scope.split(':')
  const resource = resourceOf[name] ?? name
  if (resource === 'organization') return action === 'read' ? undefined : { resource, action: 'update' }
  return { resource, action }
}
