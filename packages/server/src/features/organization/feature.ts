import type { Feature } from '../../foundation/feature.ts'
import { sweepEndedWaysIn } from './ended-ways-in.service.ts'
import { createJoinByDomainHandler } from './join-by-domain.service.ts'
import { findOwnerless } from './owner-check.service.ts'

export const feature: Feature = {
  async onStart({ db, config, log }) {
    const ownerless = await findOwnerless(db, config)
    if (ownerless) log.warn(ownerless)
  },
  jobs: { 'join-by-domain': createJoinByDomainHandler },
  sweep: sweepEndedWaysIn,
}
