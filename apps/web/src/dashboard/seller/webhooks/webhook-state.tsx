import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { Dot } from '../../parts/status.tsx'
import { Day } from '../../parts/time.tsx'
import { webhooksWords as words } from './webhooks.texts.ts'

/** An endpoint's state: enabled or not, and since when deliveries fail. */
export function WebhookState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, disabledReason, failingSince, stuckCount, stuckSince } = endpoint
  if (!enabled) {
    if (disabledReason === 'failing') return <Dot tone="danger">{words.states.failed}</Dot>
    if (disabledReason === 'gone') return <Dot tone="danger">{words.states.gone}</Dot>
    return <Dot tone="plain">{words.states.by_hand}</Dot>
  }
  if (failingSince) {
    return (
      <Dot tone="warn">
        <span>
          {words.states.failing} {words.since} <Day at={failingSince} />
        </span>
      </Dot>
    )
  }
  if (stuckSince) {
    return (
      <Dot tone="warn">
        <span>
          {words.states.stuck(stuckCount)} {words.since} <Day at={stuckSince} />
        </span>
      </Dot>
    )
  }
  return <Dot tone="ok">{words.states.on}</Dot>
}
