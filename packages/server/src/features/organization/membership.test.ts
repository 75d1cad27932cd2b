import { expect, test } from 'vitest'
import { resolveConfig } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import {
  allows,
  isAtLeast,
  knownStatements,
  type Membership,
  membershipOf,
  normalizeRoles,
  permissionsOf,
  predefinedRoles,
  requireGrantable,
  requirePermission,
  requireRoles,
} from './membership.ts'

const config = resolveConfig(
  {
    organization: {
      permissions: { project: ['create', 'share'], team: ['archive'] },
      roles: {
        maker: { project: ['create'] },
        doer: { project: ['create', 'share'] },
        admin: { project: ['share'] },
        chief: { project: ['create', 'share'], team: ['archive'] },
      },
    },
  },
  { TOLLGATE_MODE: 'development', SECRET: 'x'.repeat(32) },
)
/** Roles of the configuration are looked up without a database. */
const ctx = { config } as Context
const db = undefined as never
const holder = (role: string, of: Pick<Context, 'config'> = ctx): Promise<Membership> =>
  membershipOf(of as Context, db, { id: 'member', organizationId: 'acme', userId: 'user', role })

test('the roles are those of the specification and of the configuration; a known name gets the further permissions', () => {
  expect([...predefinedRoles(ctx).keys()]).toEqual(['owner', 'admin', 'billing', 'member', 'maker', 'doer', 'chief'])
  expect(knownStatements(ctx)).toMatchObject({ project: ['create', 'share'], organization: ['update', 'delete'] })
  expect(knownStatements(ctx).team).toEqual(['create', 'update', 'delete', 'archive'])
  expect(predefinedRoles(ctx).get('admin')?.statements).toMatchObject({ organization: ['update'], project: ['share'] })
  expect(predefinedRoles(ctx).get('owner')?.statements).toEqual(knownStatements(ctx))
})

test('a user who creates an organization holds every permission, whatever the role’s name', async () => {
  const named = {
    config: resolveConfig(
      { organization: { creatorRole: 'founder' } },
      { TOLLGATE_MODE: 'development', SECRET: 'x'.repeat(32) },
    ),
  }

  const founder = await holder('founder', named)

  expect(founder.isOwner).toBe(true)
  expect(permissionsOf(founder)).toEqual(knownStatements(named))
  expect((await holder('owner', named)).isOwner).toBe(false)
})

test('several roles combine their permissions, and one of them has to allow the requested action', async () => {
  const both = await holder(' maker , member')

  expect(both.roleNames).toEqual(['maker', 'member'])
  expect(permissionsOf(both)).toEqual({ project: ['create'], ac: ['read'] })
  expect(allows(both, { project: ['create'] })).toBe(true)
  expect(allows(both, { project: ['create'], ac: ['read'] })).toBe(false)
  expect(() => requirePermission(both, 'project', 'create', 'MEMBER_NOT_FOUND')).not.toThrow()
  expect(() => requirePermission(both, 'project', 'share', 'MEMBER_NOT_FOUND')).toThrow(TollgateError)
})

test.each([
  ['owner', ['owner'], true],
  ['owner', ['admin', 'chief'], true],
  ['member,owner', ['owner'], true],
  ['admin', ['admin', 'member'], true],
  ['admin', ['owner'], false],
  ['admin', ['member', 'owner'], false],
  ['admin', ['maker'], false],
  ['admin,maker', ['maker'], true],
  // Several roles add up.
  ['maker,admin', ['doer'], true],
  ['maker,admin', ['chief'], false],
  ['member', ['member'], true],
  ['member', ['admin'], false],
  // The built-in member permissions outrank no one.
  ['maker', ['member'], true],
  ['maker', ['maker', 'member'], true],
  ['maker', ['admin'], false],
])('a user who is %s gives %o: %s', async (role, names, gives) => {
  const membership = await holder(role)
  const granting = requireGrantable(ctx, db, membership, names, 'MEMBER_UPDATE_NOT_ALLOWED')

  if (gives) await expect(granting).resolves.toBeUndefined()
  else await expect(granting).rejects.toMatchObject({ error: 'MEMBER_UPDATE_NOT_ALLOWED' })
  expect(isAtLeast(ctx, membership, await holder(names.join()))).toBe(gives)
})

test('no role at all is none to give', async () => {
  await expect(requireRoles(ctx, db, 'acme', [])).rejects.toMatchObject({ error: 'ROLE_NOT_FOUND' })
})

test.each([
  ['admin', ['admin']],
  [' admin, member ,', ['admin', 'member']],
  [
    ['admin', 'admin,member', ''],
    ['admin', 'member'],
  ],
  [',', []],
])('%o names the roles %o', (given, names) => {
  expect(normalizeRoles(given)).toEqual(names)
})
