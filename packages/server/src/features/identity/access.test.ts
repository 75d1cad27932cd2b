import { expect, test } from 'vitest'
import { type Config, resolveConfig } from '../../foundation/config/config.ts'
import type { Context } from '../../foundation/context.ts'
import { can, firstAdminRole, isAdministrator, rolesOf, toRoleText } from './access.ts'

const configWith = (admin: object): Config =>
  resolveConfig({ admin }, { TOLLGATE_MODE: 'development', SECRET: 'x'.repeat(32) })
const config = configWith({ adminRoles: ['admin', 'support'], adminUserIds: ['root'], defaultRole: 'member' })
/** Roles come from the configuration alone. */
const ctx = { config } as Context

test.each([
  [null, ['member']],
  ['', ['member']],
  [' , ', ['member']],
  ['admin', ['admin']],
  ['member, admin', ['member', 'admin']],
  ['administrator', ['administrator']],
])('the roles in %o are %o', (text, roles) => {
  expect(rolesOf(config, text)).toEqual(roles)
})

test.each([
  [null, false],
  ['member', false],
  ['admin', true],
  ['member,support', true],
  [' support ', true],
  ['Admin', false],
  ['administrator', false],
  ['not admin', false],
])('whether a user with the roles %o administers: %o', (role, administers) => {
  expect(isAdministrator(ctx, { id: 'somebody', role })).toBe(administers)
  expect(can(ctx, { id: 'somebody', role }, { user: ['list'] })).toBe(administers)
  expect(isAdministrator(ctx, { id: 'root', role })).toBe(true)
})

test('a default role that administers makes every user an administrator, as configured', () => {
  const given = { config: configWith({ defaultRole: 'admin' }) }

  expect(isAdministrator(given, { id: 'somebody', role: null })).toBe(true)
})

test.each([
  ['admin', 'admin'],
  [' member , admin', 'member,admin'],
  [['member', 'support'], 'member,support'],
  [['admin', 'admin'], 'admin'],
  [['admin,member', 'support'], 'admin,member,support'],
  ['', null],
  [',', null],
  ['owner', null],
  [['admin', 'owner'], null],
  ['Admin', null],
])('%o is stored as %o', (given, text) => {
  expect(toRoleText(config, given)).toBe(text)
})

test.each([
  [{}, false],
  [{ user: ['list'] }, true],
  [{ user: ['list', 'ban'], session: ['revoke', 'list', 'delete'] }, true],
  [{ user: [] }, true],
  [{ user: ['list', 'fly'] }, false],
  [{ user: ['list'], rocket: [] }, false],
  [{ constructor: ['name'] }, false],
  [JSON.parse('{"__proto__":[]}'), false],
])('an administrator with %o gets: %o', (asked, may) => {
  expect(can(ctx, { id: 'root', role: null }, asked)).toBe(may)
  expect(can(ctx, { id: 'somebody', role: null }, asked)).toBe(false)
})

test('a user who sets the installation up gets the first role that administers', () => {
  expect(firstAdminRole(configWith({}))).toBe('admin')
  expect(firstAdminRole(configWith({ adminRoles: ['operator', 'admin'] }))).toBe('operator')
})

test.each([
  { adminRoles: [] },
  { adminRoles: ['admin,user'] },
  { adminRoles: [' admin'] },
  { adminRoles: ['100%'] },
  { defaultRole: '' },
])('roles that no text of roles could hold are refused at the start: %o', (admin) => {
  expect(() => configWith(admin)).toThrow(/admin\.(adminRoles|defaultRole)/)
})
