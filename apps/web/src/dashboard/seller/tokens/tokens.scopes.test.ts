import { type Scope, scopes } from '@tollgate/contract/billing'
import { expect, test } from 'vitest'
import { scopeGroups, withScope } from './tokens.scopes.ts'

test('every scope that there is can be chosen, once', () => {
  const offered = scopeGroups.flatMap(({ rows }) => rows.flatMap(({ read, write }) => [read, write]))

  expect(offered.filter((scope) => scope !== undefined).sort()).toEqual([...scopes].sort())
})

test.each<[string, Scope[], Scope, boolean, Scope[]]>([
  ['writing brings reading along', [], 'orders:write', true, ['orders:read', 'orders:write']],
  ['without reading there is no writing', ['orders:read', 'orders:write'], 'orders:read', false, []],
  ['reading stays without writing', ['orders:read', 'orders:write'], 'orders:write', false, ['orders:read']],
  ['reading comes alone', [], 'orders:read', true, ['orders:read']],
  ['others stay', ['meters:read'], 'payments:read', true, ['meters:read', 'payments:read']],
  ['what can only be written needs nothing else', [], 'customer_sessions:write', true, ['customer_sessions:write']],
])('%s', (_, held, scope, isOn, then) => {
  expect([...withScope(new Set(held), scope, isOn)]).toEqual(then)
})
