import { billingStatements } from './billing/scopes.ts'

/**
 * Roles of an organization: resources, their actions, and the permission check. Pure, so that the server, the client
 * and applications share it. The server's `membership.ts` decides who holds which role.
 */

/** Actions by resource. */
export type Statements = Readonly<Record<string, readonly string[]>>

/** How to combine the requested actions: all of them, or any. */
export type Connector = 'AND' | 'OR'

/** A permission request: actions by resource, or the actions of one resource with a connector of their own. */
export type AccessRequest = Readonly<
  Record<string, readonly string[] | { readonly actions: readonly string[]; readonly connector: Connector }>
>

export type Authorization = { readonly success: true } | { readonly success: false; readonly error: string }

export type AccessRole = {
  readonly statements: Statements
  /**
   * Whether the role holds the requested permissions: every resource with `AND`, any of them with `OR`. An empty
   * request is refused. Throws for a request of another shape.
   */
  authorize(request: AccessRequest, connector?: Connector): Authorization
}

/** Thrown for a request or a role of another shape (specification, section 8). */
const invalidRequest = 'Invalid access control request'

/** A role with permissions. The texts are the specification's (section 8, "Access-check messages"). */
export function accessRole(statements: Statements): AccessRole {
  return {
    statements,
    authorize: (request, connector = 'AND') => {
      if (typeof request !== 'object' || request === null) throw new TypeError(invalidRequest)
      let allowed = false
      for (const [resource, asked] of Object.entries(request)) {
        const held = Object.hasOwn(statements, resource) ? statements[resource] : undefined
        if (!held) {
          // With OR, another resource may still grant the request.
          if (connector === 'OR') continue
          return { success: false, error: `You are not allowed to access resource: ${resource}` }
        }
        allowed = holds(held, asked)
        if (allowed && connector === 'OR') return { success: true }
        if (!allowed && connector === 'AND')
          return { success: false, error: `unauthorized to access resource "${resource}"` }
      }
      return allowed && connector === 'AND' ? { success: true } : { success: false, error: 'Not authorized' }
    },
  }
}

function holds(held: readonly string[], asked: AccessRequest[string]): boolean {
  if (isList(asked)) return asked.every((action) => held.includes(action))
  if (typeof asked !== 'object' || asked === null || !isList(asked.actions)) throw new TypeError(invalidRequest)
  const { actions, connector } = asked
  return connector === 'OR'
    ? actions.some((action) => held.includes(action))
    : actions.every((action) => held.includes(action))
}

/** `Array.isArray` does not narrow a readonly array. */
const isList = (value: unknown): value is readonly string[] => Array.isArray(value)

export type AccessControl = {
  readonly statements: Statements
  /** A role that holds some of the statements. Refuses unknown ones now instead of at the first check. */
  newRole(permissions: Statements): AccessRole
}

/** The known resources and actions, from which roles are made. */
export function createAccessControl(statements: Statements): AccessControl {
  return {
    statements,
    newRole: (permissions) => {
      for (const [resource, actions] of Object.entries(permissions)) {
        const known = Object.hasOwn(statements, resource) ? statements[resource] : undefined
        if (!known || !actions.every((action) => known.includes(action))) throw new TypeError(invalidRequest)
      }
      return accessRole(permissions)
    },
  }
}

/**
 * The actions in an organization: the specification's four resources (section 6), its custom roles (`ac`, the
 * ecosystem's name), and reading its events.
 */
export const organizationStatements = {
  organization: ['update', 'delete'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  team: ['create', 'update', 'delete'],
  ac: ['create', 'read', 'update', 'delete'],
  audit: ['read'],
  // What the organization sells (architecture, "Permissions"), and paying for what it buys.
  ...billingStatements,
  billing: ['pay'],
} as const satisfies Statements

/**
 * The specification's roles (section 6) and one for members who only pay. The creator's role holds everything, further
 * resources included.
 */
export const organizationRoles = {
  owner: organizationStatements,
  admin: {
    organization: ['update'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
    team: ['create', 'update', 'delete'],
    ac: ['create', 'read', 'update', 'delete'],
    audit: ['read'],
    ...billingStatements,
    billing: ['pay'],
  },
  billing: { ac: ['read'], billing: ['pay'] },
  member: { ac: ['read'] },
} as const satisfies Record<string, Statements>

/** The roles in a comma-separated text, such as `admin,billing`. */
export const splitRoles = (text: string): string[] =>
  text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '')

/** Whether permissions hold every action of others: members grant only what they hold. */
export const includesStatements = (held: Statements, asked: Statements): boolean =>
  Object.entries(asked).every(([resource, actions]) =>
    actions.every((action) => Object.hasOwn(held, resource) && held[resource]?.includes(action)),
  )
