import type { Feature } from '../../foundation/http/feature.ts'
import { sweepEndedWaysIn } from './ended-ways-in.service.ts'
import { sealPurpose } from './invitation-link.service.ts'
import { createJoinByDomainHandler } from './join-by-domain.service.ts'
import { findOwnerless } from './owner-check.service.ts'

export const feature = {
  name: 'organization',
  isOn: ({ organization }) => organization !== false,
  async onStart({ db, config, log }) {
    const ownerless = await findOwnerless(db, config)
    if (ownerless) log.warn(ownerless)
  },
  jobs: { 'join-by-domain': createJoinByDomainHandler },
  sealed: [{ table: 'invitationLink', column: 'sealedToken', purpose: sealPurpose }],
  sweep: sweepEndedWaysIn,
} as const satisfies Feature

/** A part of organizations that is switched by itself. */
export const teams = {
  name: 'teams',
  isOn: ({ organization }) => organization !== false && organization.teams.enabled,
} as const satisfies Feature
