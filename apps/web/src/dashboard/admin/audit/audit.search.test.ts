import { expect, test } from 'vitest'
import { auditSearchIn, eventsQueryOf, exportAddress } from './audit.search.ts'

test('an address says which events are asked for', () => {
  const asked = { type: 'user.banned', actor: 'a1', user: 'u1', organization: 'o1', cursor: 'c' }
  const search = auditSearchIn({ ...asked, page: '2' })

  expect(search).toEqual({ ...asked, page: 2 })
  expect(eventsQueryOf(search)).toEqual({
    limit: 50,
    type: 'user.banned',
    actorId: 'a1',
    userId: 'u1',
    organizationId: 'o1',
    cursor: 'c',
  })
})

test('without a type, sales are shown on request', () => {
  expect(eventsQueryOf(auditSearchIn({ area: 'sales' }))).toEqual({ limit: 50, area: 'sales' })
  expect(eventsQueryOf(auditSearchIn({ area: 'all' }))).toEqual({ limit: 50 })
  expect(auditSearchIn({ area: 'x' })).toEqual({})
  expect(auditSearchIn({ area: 'sales', type: 'user.banned' })).toEqual({ type: 'user.banned' })
})

test('a page without its cursor is the first one', () => {
  expect(auditSearchIn({ page: '7', other: 'x' })).toEqual({})
  expect(eventsQueryOf({})).toEqual({ limit: 50, area: 'accounts' })
})

test('the file has all pages of what is asked for', () => {
  expect(exportAddress({})).toBe('/admin/audit/export?area=accounts')
  expect(exportAddress({ area: 'all' })).toBe('/admin/audit/export')
  expect(exportAddress({ type: 'user.banned', user: 'u&1', cursor: 'c', page: 2 })).toBe(
    '/admin/audit/export?type=user.banned&user=u%261',
  )
})
