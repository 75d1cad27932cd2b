import { expect, test } from 'vitest'
import { resolveConfig } from '../foundation/config/config.ts'
import { allJobKinds } from '../foundation/jobs.ts'
import { type FeatureName, features, featuresOn } from './features.ts'

test('each kind of job has one handler, the sweep and the sealing in the app and every other one in a feature', () => {
  const kinds = features.flatMap(({ jobs }) => Object.keys(jobs ?? {}))

  expect([...kinds, 'sweep', 'reseal'].sort()).toEqual([...allJobKinds].sort())
})

test('each feature has a name of its own', () => {
  const names = features.map(({ name }) => name)

  expect(names).toEqual([...new Set(names)])
})

const ofBilling: readonly FeatureName[] = [
  'billing',
  'payments',
  'catalog',
  'customer',
  'documents',
  'settlement',
  'subscriptions',
  'renewals',
  'live',
  'checkout',
  'webhooks',
  'refund',
  'processorEvents',
  'timeline',
]

test.each<[string, Parameters<typeof resolveConfig>[0], FeatureName[]]>([
  ['billing', { billing: false }, [...ofBilling, 'teams', 'jwt']],
  [
    'organizations, with all that belongs to them',
    { organization: false },
    ['organization', ...ofBilling, 'teams', 'jwt'],
  ],
  ['magic links', { magicLink: false }, ['magicLink', 'teams', 'jwt']],
  ['usernames', { username: false }, ['username', 'teams', 'jwt']],
  ['nothing, and teams and tokens on', { jwt: {}, organization: { teams: { enabled: true } } }, []],
])('the configuration switches off: %s', (_, config, off) => {
  const on = featuresOn(resolveConfig(config, {}))

  expect(
    features
      .filter((feature) => !on.includes(feature))
      .map(({ name }) => name)
      .sort(),
  ).toEqual(off.sort())
})
