import type { Feature } from '../../../foundation/feature.ts'
import { deleteExpiredCustomerSessions } from './customer-session.repository.ts'

export const feature: Feature = {
  sweep: (ctx, now) => ctx.transaction((tx) => deleteExpiredCustomerSessions(tx, now)),
}
