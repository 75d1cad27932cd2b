import { describe, expect, test } from 'vitest'
import {
  type AccessRequest,
  accessRole,
  type Connector,
  createAccessControl,
  includesStatements,
  organizationRoles,
  organizationStatements,
  splitRoles,
} from './access-control.ts'

const admin = accessRole(organizationRoles.admin)

describe('a role', () => {
  test.each<[AccessRequest, Connector | undefined]>([
    [{ organization: ['update'] }, undefined],
    [{ member: ['create', 'update', 'delete'] }, undefined],
    [{ organization: ['update'], team: ['delete'] }, 'AND'],
    [{ organization: ['delete'], team: ['delete'] }, 'OR'],
    [{ rocket: ['fly'], team: ['delete'] }, 'OR'],
    [{ team: ['delete'], rocket: ['fly'] }, 'OR'],
    [{ organization: { actions: ['update', 'delete'], connector: 'OR' } }, undefined],
    [{ member: { actions: ['create', 'delete'], connector: 'AND' } }, undefined],
    [{ organization: { actions: ['update', 'delete'], connector: 'OR' }, ac: ['read'] }, 'AND'],
  ])('of an administrator may do %o (%s)', (request, connector) => {
    expect(admin.authorize(request, connector)).toEqual({ success: true })
  })

  test.each<[AccessRequest, Connector | undefined, string]>([
    [{ rocket: ['fly'] }, undefined, 'You are not allowed to access resource: rocket'],
    [{ team: ['delete'], rocket: ['fly'] }, 'AND', 'You are not allowed to access resource: rocket'],
    [{ constructor: ['fly'] }, undefined, 'You are not allowed to access resource: constructor'],
    [{ organization: ['delete'] }, undefined, 'unauthorized to access resource "organization"'],
    [{ organization: ['update', 'delete'] }, undefined, 'unauthorized to access resource "organization"'],
    [
      { organization: { actions: ['update', 'delete'], connector: 'AND' } },
      undefined,
      'unauthorized to access resource "organization"',
    ],
    [{ organization: { actions: [], connector: 'OR' } }, undefined, 'unauthorized to access resource "organization"'],
    [{ organization: ['delete'], rocket: ['fly'] }, 'OR', 'Not authorized'],
    [{}, undefined, 'Not authorized'],
    [{}, 'OR', 'Not authorized'],
  ])('of an administrator may not do %o (%s): %s', (request, connector, error) => {
    expect(admin.authorize(request, connector)).toEqual({ success: false, error })
  })

  test.each([
    null,
    undefined,
    'organization',
    { organization: 'update' },
    { organization: null },
    { organization: {} },
  ])('is not asked for %o: that is no request', (request) => {
    const ask = () => admin.authorize(request as unknown as AccessRequest) // untyped code may pass anything
    expect(ask).toThrow(new TypeError('Invalid access control request'))
  })
})

test('access control makes roles of known permissions only', () => {
  const control = createAccessControl({ ...organizationStatements, project: ['create', 'share'] })

  const maker = control.newRole({ project: ['create'], member: ['update'] })

  expect(maker.statements).toEqual({ project: ['create'], member: ['update'] })
  expect(maker.authorize({ project: ['create'] })).toEqual({ success: true })
  expect(maker.authorize({ project: ['share'] }).success).toBe(false)
  for (const permissions of [{ project: ['fly'] }, { rocket: ['fly'] }, { toString: ['fly'] }])
    expect(() => control.newRole(permissions)).toThrow('Invalid access control request')
})

test.each([
  ['owner', { organization: ['update', 'delete'] }, true],
  ['admin', { organization: ['update'] }, true],
  ['admin', { organization: ['delete'] }, false],
  ['member', { organization: ['update'] }, false],
  ['member', { member: ['create'] }, false],
  ['member', { invitation: ['create'] }, false],
  ['member', { team: ['create'] }, false],
] as const)('the specification’s %s may do %o: %s', (name, request, success) => {
  expect(accessRole(organizationRoles[name]).authorize(request).success).toBe(success)
})

test.each([
  ['owner', { billing: ['pay'], token: ['write'] }, true],
  ['admin', { billing: ['pay'], product: ['read', 'write'], webhook: ['write'] }, true],
  ['billing', { billing: ['pay'] }, true],
  ['billing', { order: ['read'] }, false],
  ['billing', { token: ['read'] }, false],
  ['member', { billing: ['pay'] }, false],
  ['member', { product: ['read'] }, false],
] as const)('for sales and purchases the %s may do %o: %s', (name, request, success) => {
  expect(accessRole(organizationRoles[name]).authorize(request).success).toBe(success)
})

test.each([
  ['', []],
  [' , ', []],
  ['admin', ['admin']],
  [' admin , billing,', ['admin', 'billing']],
])('the roles in %o are %o', (text, roles) => {
  expect(splitRoles(text)).toEqual(roles)
})

test.each([
  [{ team: ['create', 'update'] }, { team: ['create'] }, true],
  [{ team: ['create'] }, {}, true],
  [{ team: ['create'] }, { team: [] }, true],
  [{ team: ['create'] }, { team: ['create', 'update'] }, false],
  [{ team: ['create'] }, { member: ['create'] }, false],
  [{ team: ['create'] }, { toString: ['create'] }, false],
])('%o holds %o: %s', (held, asked, holds) => {
  expect(includesStatements(held, asked)).toBe(holds)
})
