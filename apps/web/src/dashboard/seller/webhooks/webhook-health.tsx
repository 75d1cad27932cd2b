import { useQuery } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import { useSeller } from '../../context.ts'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { agoText } from '../../parts/time.tsx'
import { listQuery } from '../../queries/billing.ts'
import styles from './webhook-health.module.css'
import { type Delivery, durationText, medianOf, outcomeText } from './webhook-outcome.ts'
import { webhookWords } from './webhooks.texts.ts'

const words = webhookWords.health

/** As many marks as are taken in at a glance. */
const marks = 20

export function latestDeliveries(billing: BillingClient, endpointId: string) {
  const query = { endpointId: [endpointId], limit: marks }
  return listQuery(['webhook-deliveries', query], (options) => billing.listWebhookDeliveries(query, options))
}

type Props = { endpointId: string; refetchInterval: number | false }

/** How the latest attempts have gone: a mark for each, and the same in words. */
export function HealthPanel({ endpointId, refetchInterval }: Props) {
  const { billing, now } = useSeller()
  const { data, error, refetch } = useQuery({ ...latestDeliveries(billing, endpointId), refetchInterval })
  // The duration of a refusal is not informative.
  const took = (data?.items ?? []).filter(({ succeeded }) => succeeded).map(({ durationMs }) => durationMs)
  return (
    <Panel title={words.title}>
      {error && !data ? <Failure error={error} retry={refetch} needs="webhook:read" /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} /> : null}
      {data?.items.length === 0 ? <p className={`quiet panel-text ${styles.health}`}>{words.none}</p> : null}
      {data && data.items.length > 0 ? (
        <div className={`panel-text ${styles.health}`}>
          <ol className={styles.marks} aria-label={words.marks}>
            {data.items.toReversed().map((delivery) => (
              <Mark key={delivery.id} delivery={delivery} now={now()} />
            ))}
          </ol>
          <p className="quiet">
            {words.summary(data.items.filter(({ succeeded }) => succeeded).length, data.items.length)}{' '}
            {took.length > 1 ? words.median(durationText(medianOf(took) ?? 0)) : null}
          </p>
        </div>
      ) : null}
    </Panel>
  )
}

function Mark({ delivery, now }: { delivery: Delivery; now: number }) {
  const { webhookEvent, durationMs, createdAt, succeeded } = delivery
  const text = words.mark(webhookEvent.type, outcomeText(delivery), durationText(durationMs), agoText(createdAt, now))
  return (
    <li data-tone={succeeded ? 'ok' : 'danger'} title={text}>
      <span className="visually-hidden">{text}</span>
    </li>
  )
}
