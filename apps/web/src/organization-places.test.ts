import { expect, test } from 'vitest'
import dashboardDe from './dashboard/locales/de.json' with { type: 'json' }
import dashboardEn from './dashboard/locales/en.json' with { type: 'json' }
import hostedDe from './hosted/locales/de.json' with { type: 'json' }
import hostedEn from './hosted/locales/en.json' with { type: 'json' }
import { peopleGroup, placeAddress, sellingGroups } from './organization-places.ts'

const namesIn = (groups: readonly { places: readonly { name: string }[] }[]) =>
  groups.flatMap(({ places }) => places.map(({ name }) => name))

test.each([
  ['English', hostedEn.places, dashboardEn.shell],
  ['German', hostedDe.places, dashboardDe.shell],
])('the hosted pages and the dashboard call each page the same in %s', (_, hosted, dashboard) => {
  expect(dashboard).toMatchObject(hosted)
})

test('a member sees the pages that their permissions open', () => {
  const support = { permissions: { order: ['read'] }, teams: false, maySell: true }
  expect(namesIn(sellingGroups(support))).toEqual([
    'overview',
    'orders',
    'payments',
    'refunds',
    'processors',
    'tax',
    'settings',
  ])
  expect(namesIn([peopleGroup(support)])).toEqual(['summary', 'members', 'invitations', 'danger'])

  const admin = { permissions: { ac: ['read'], organization: ['update'], audit: ['read'] }, teams: true, maySell: true }
  expect(namesIn([peopleGroup(admin)])).toEqual([
    'summary',
    'members',
    'invitations',
    'teams',
    'roles',
    'profile',
    'audit',
    'danger',
  ])
})

test('before the approval the pages of selling are what leads to it, and those of people are all there', () => {
  const waiting = { permissions: { order: ['read'], ac: ['read'] }, teams: true, maySell: false }
  expect(namesIn(sellingGroups(waiting))).toEqual(['overview', 'settings'])
  expect(namesIn([peopleGroup(waiting)])).toEqual(['summary', 'members', 'invitations', 'teams', 'roles', 'danger'])
})

test('the address of a page is in its organization', () => {
  expect(placeAddress('/org/$slug/members', 'a b')).toBe('/org/a%20b/members')
})
