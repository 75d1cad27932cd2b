import { ActionIcon } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { BillingTable, type Column } from '../../parts/billing-table.tsx'
import { Dot } from '../../parts/status.tsx'
import { Moment, momentText } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { listQuery } from '../../queries/billing.ts'
import { deliveriesQueryOf, typeIn } from './webhook-deliveries.query.ts'
import { type DeliverySort, deliveryStatuses } from './webhook-deliveries.search.ts'
import { type Delivery, durationText, outcomeText } from './webhook-outcome.ts'
import { webhookWords } from './webhooks.texts.ts'

const route = getRouteApi('/dashboard/$slug/webhooks/$endpointId')
const words = webhookWords.deliveries

type Props = { endpoint: WebhookEndpoint; refetchInterval: number | false; onSent: () => void }

/** Every attempt to tell an endpoint something. */
export function Deliveries({ endpoint, refetchInterval, onSent }: Props) {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const { columns: labels } = words
  const columns: readonly Column<Delivery, DeliverySort>[] = [
    {
      name: 'status',
      label: labels.status,
      size: 'large',
      card: 'start',
      cell: (delivery, cameFrom) => (
        <>
          <Link
            to="/dashboard/$slug/webhooks/$endpointId/deliveries/$deliveryId"
            params={{ slug, endpointId: endpoint.id, deliveryId: delivery.id }}
            state={cameFrom}
            className="row-link"
          >
            <Dot tone={delivery.succeeded ? 'ok' : 'danger'}>{outcomeText(delivery)}</Dot>
          </Link>
          <NextAttempt delivery={delivery} />
        </>
      ),
    },
    { name: 'type', label: labels.type, card: 'wide', cell: ({ webhookEvent }) => <code>{webhookEvent.type}</code> },
    {
      name: 'attempt',
      label: labels.attempt,
      size: 'small',
      card: 'start',
      cardLabel: labels.attempt,
      cell: ({ attempt }) => attempt,
    },
    {
      name: 'duration',
      label: labels.duration,
      size: 'small',
      card: 'end',
      cell: ({ durationMs }) => durationText(durationMs),
    },
    {
      name: 'created',
      label: labels.created,
      sorts: ['-created', 'created'],
      size: 'large',
      card: 'start',
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      name: 'actions',
      label: labels.actions,
      size: 'small',
      align: 'end',
      card: 'end',
      cell: (delivery) => (may('webhook', 'write') ? <ResendIcon delivery={delivery} onSent={onSent} /> : null),
    },
  ]
  const type = typeIn(search)
  return (
    <BillingTable
      words={words}
      search={search}
      sorts={words.sorts}
      query={(address) => {
        const query = deliveriesQueryOf(endpoint.id, address as typeof search) // the address of this very route
        return {
          ...listQuery(['webhook-deliveries', query], (options) => billing.listWebhookDeliveries(query, options)),
          refetchInterval,
        }
      }}
      columns={columns}
      filters={[
        {
          name: 'status',
          label: words.status,
          value: search.status,
          all: words.everyStatus,
          options: deliveryStatuses.map((value) => ({ value, label: words.statuses[value] })),
        },
        {
          name: 'type',
          label: words.type,
          value: type,
          all: words.everyType,
          options: [...new Set([...endpoint.events, ...(type ? [type] : [])])].map((value) => ({
            value,
            label: value,
          })),
        },
      ]}
      needs="webhook:read"
    />
  )
}

/** Since when an event fails, and when it is tried again; only its newest attempt has the next one after it. */
function NextAttempt({ delivery: { succeeded, attempt, webhookEvent } }: { delivery: Delivery }) {
  const { attempts, nextAttemptAt, failingSince } = webhookEvent
  if (succeeded || nextAttemptAt === null || attempt !== attempts) return null
  return (
    <>
      {failingSince ? (
        <span className="quiet block">
          {words.failing} <Moment at={failingSince} />
        </span>
      ) : null}
      <span className="quiet block">
        {words.next} <Moment at={nextAttemptAt} />
      </span>
    </>
  )
}

/** Sends an event to its endpoint again; says so, or why not. */
export function useResend(onSent?: () => void) {
  const { billing, queries } = useSeller()
  return useMutation({
    mutationFn: ({ webhookEvent, endpointId }: Pick<Delivery, 'webhookEvent' | 'endpointId'>) =>
      answerOf(billing.redeliverWebhookEvent({ id: webhookEvent.id, endpointId })),
    onSuccess: ({ type }) => {
      notifications.show({ message: words.resent(type) })
      onSent?.()
      return queries.invalidateQueries({ queryKey: ['billing'] })
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
}

function ResendIcon({ delivery, onSent }: { delivery: Delivery; onSent: () => void }) {
  const resend = useResend(onSent)
  return (
    <ActionIcon
      variant="default"
      size={28}
      aria-label={words.resend(delivery.webhookEvent.type, momentText(delivery.createdAt))}
      aria-disabled={resend.isPending || undefined}
      onClick={() => !resend.isPending && resend.mutate(delivery)}
    >
      <IconRefresh size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}
