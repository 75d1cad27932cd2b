import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { Dot } from '../parts/status.tsx'
import { Day } from '../parts/time.tsx'
import { webhooksWords as words } from './webhooks.texts.ts'

/** Whether an endpoint is told, and since when nothing comes through. */
export function WebhookState({ endpoint: { enabled, disabledReason, failingSince } }: { endpoint: WebhookEndpoint }) {
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
  return <Dot tone="ok">{words.states.on}</Dot>
}
