import { after, days } from '../../foundation/clock.ts'
import type { Feature } from '../../foundation/http/feature.ts'
import { deleteLinksExpiredBefore } from './magic-link.repository.ts'
import { createMagicLinkHandler } from './magic-link.service.ts'

/** A visitor with an expired link learns that it has expired, not that it is invalid. */
const expiredLinksKeptFor = days(1)

export const feature = {
  name: 'magicLink',
  isOn: ({ magicLink }) => magicLink !== false,
  jobs: { 'magic-link': createMagicLinkHandler },
  sweep: (ctx, now) => ctx.transaction((tx) => deleteLinksExpiredBefore(tx, after(now, -expiredLinksKeptFor))),
} as const satisfies Feature
