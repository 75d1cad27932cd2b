/** What a member may read and write of billing. Owners and admins hold all of it; custom roles are made of it. */
export const billingStatements = {
  product: ['read', 'write'],
  customer: ['read', 'write'],
  order: ['read', 'write'],
  subscription: ['read', 'write'],
  discount: ['read', 'write'],
  benefit: ['read', 'write'],
  meter: ['read', 'write'],
  webhook: ['read', 'write'],
  // Access tokens: no scope covers them, because only members make tokens.
  token: ['read', 'write'],
} as const

/** The resource of a permission; the organization itself is not part of billing. */
type PermissionResource = keyof typeof billingStatements | 'organization'

type Covered = readonly (readonly [name: string, permission: PermissionResource])[]

/** What has a scope to read it and one to write it, in the order of the form, and the permission that members need. */
const resources = [
  ['organizations', 'organization'],
  ['custom_fields', 'product'],
  ['discounts', 'discount'],
  ['checkout_links', 'product'],
  ['checkouts', 'order'],
  ['products', 'product'],
  ['benefits', 'benefit'],
  ['events', 'meter'],
  ['meters', 'meter'],
  ['files', 'product'],
  ['subscriptions', 'subscription'],
  ['customers', 'customer'],
  ['orders', 'order'],
  ['refunds', 'order'],
  ['webhooks', 'webhook'],
  ['license_keys', 'benefit'],
] as const satisfies Covered

/** Each scope of access tokens, in the order of the form, with its permission (billing contract, section 1). */
const scopeRows = [
  ...resources.flatMap(([name, permission]) => [
    [`${name}:read`, permission] as const,
    [`${name}:write`, permission] as const,
  ]),
  ['customer_meters:read', 'meter'],
  ['customer_sessions:write', 'customer'],
  ['payments:read', 'order'],
  ['metrics:read', 'order'],
  ['customer_portal:read', 'customer'],
  ['customer_portal:write', 'customer'],
] as const satisfies Covered

/** A `:write` scope includes its `:read`. */
export type Scope = (typeof scopeRows)[number][0]

/** Every scope, in the order of the form. */
export const scopes: readonly Scope[] = scopeRows.map(([scope]) => scope)

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text)

/** Whether the held scopes include another one. */
export const holdsScope = (held: readonly string[], asked: Scope): boolean =>
  held.includes(asked) || (asked.endsWith(':read') && held.includes(asked.replace(/:read$/, ':write')))

type Permission = { readonly resource: string; readonly action: string }

const permissionResources = new Map<Scope, PermissionResource>(scopeRows)

/** The permission that a signed-in member needs for a scope; every member may read the organization's settings. */
export function permissionOf(scope: Scope): Permission | undefined {
  const resource = permissionResources.get(scope)
  if (!resource) throw new TypeError(`no scope: ${scope}`)
  const action = scope.endsWith(':write') ? 'write' : 'read'
  if (resource === 'organization') return action === 'read' ? undefined : { resource, action: 'update' }
  return { resource, action }
}
