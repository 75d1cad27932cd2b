import { organizationEventTypes } from '@tollgate/contract/events'
import { expect, test } from 'vitest'
import * as locales from '../locales/index.ts'
import { textNamed } from './text-named.ts'

const tree = { team: { created: 'Team created' }, name: 'Name' }

test.each([
  ['team.created', 'Team created'],
  ['name', 'Name'],
  ['team', undefined],
  ['team.deleted', undefined],
  ['name.length', undefined],
  ['constructor.name', undefined],
])('%s is %s', (name, text) => {
  expect(textNamed(tree, name)).toBe(text)
})

test.each(Object.entries(locales))(
  '%s names every event of an organization’s audit log',
  (_, { organizationAudit }) => {
    const nameless = organizationEventTypes.filter((type) => !textNamed(organizationAudit.events, type))

    expect(nameless).toEqual([])
  },
)
