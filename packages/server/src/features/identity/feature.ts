import { after, days } from '../../foundation/clock.ts'
import type { Feature } from '../../foundation/http/feature.ts'
import { createAccountMailHandler } from './account-mail.ts'
import { deleteFailedSignInsBefore } from './failed-sign-in.repository.ts'
import { deleteExpiredSessions } from './session.repository.ts'
import { deleteExpiredProofs } from './verification.repository.ts'

/** Failed sign-ins are the only events that strangers cause; all other events are kept. */
const failedSignInsKeptFor = days(90)

export const feature = {
  name: 'identity',
  jobs: { 'account-mail': createAccountMailHandler },
  sweep: (ctx, now) =>
    ctx.transaction(async (tx) => {
      await deleteExpiredSessions(tx, now)
      await deleteExpiredProofs(tx, now)
      await deleteFailedSignInsBefore(tx, after(now, -failedSignInsKeptFor))
    }),
} as const satisfies Feature
