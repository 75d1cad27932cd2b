import { expect, test } from 'vitest'
import { allJobKinds } from '../foundation/jobs.ts'
import { features } from './features.ts'

test('each kind of job has one handler, the sweep in the app and every other one in a feature', () => {
  const kinds = features.flatMap(({ jobs }) => Object.keys(jobs ?? {}))

  expect([...kinds, 'sweep'].sort()).toEqual([...allJobKinds].sort())
})
