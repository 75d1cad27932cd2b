import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { avatarPath, avatars } from './avatar.ts'
import { deleteExpiredCustomerSessions } from './customer-session.repository.ts'
import { createForgetHandler } from './forget-method.service.ts'

export const feature = {
  name: 'customer',
  isOn: isBillingServed,
  routes: { [avatarPath]: avatars },
  sealed: [{ table: 'paymentMethod', column: 'processorReference', purpose: 'payment method', isPlainNow: true }],
  jobs: { 'forget-payment-method': createForgetHandler },
  sweep: (ctx, now) => ctx.transaction((tx) => deleteExpiredCustomerSessions(tx, now)),
} as const satisfies Feature
