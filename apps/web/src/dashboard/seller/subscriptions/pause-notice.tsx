import type { Subscription } from '@tollgate/contract/billing-types'
import { momentText } from '../../parts/time.tsx'
import { subscriptionsWords as words } from './subscriptions.texts.ts'

/** Since when a subscription is paused, or that it will be, and when it resumes. */
export function PauseNotice({
  subscription: { pausedAt, pauseAtPeriodEnd, resumesAt },
}: {
  subscription: Subscription
}) {
  if (pausedAt === null && !pauseAtPeriodEnd) return null
  const end = resumesAt === null ? null : momentText(resumesAt)
  return (
    <div className="notice" data-tone="info">
      <span className="grow">
        {pausedAt === null ? words.pause.coming(end) : words.pause.state(momentText(pausedAt), end)}
      </span>
    </div>
  )
}
