import { Link } from '@tanstack/react-router'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { type Columns, createdColumn, ListPage } from '../../parts/list-page.tsx'
import { WebhookState } from './webhook-state.tsx'
import { webhooks } from './webhooks.resource.ts'
import { webhooksWords as words } from './webhooks.texts.ts'

const firstEndpoint = apiCall('createWebhookEndpoint', {
  url: 'https://example.com/webhooks',
  events: ['order.paid', 'order.refunded'],
})

/** Webhook endpoints. */
export function WebhooksPage() {
  const { slug } = useSeller()

  const { columns: labels } = words
  const columns: Columns<typeof webhooks> = [
    {
      name: 'url',
      label: labels.url,
      sorts: ['url', '-url'],
      card: 'wide',
      cell: ({ id, url, name }, cameFrom) => (
        <>
          <Link
            to="/dashboard/$slug/webhooks/$endpointId"
            params={{ slug, endpointId: id }}
            state={cameFrom}
            className="row-link"
          >
            {name || url}
          </Link>
          {name ? <span className="quiet block wrong-line">{url}</span> : null}
        </>
      ),
    },
    {
      name: 'state',
      label: labels.state,
      size: 'large',
      card: 'wide',
      cell: (endpoint) => <WebhookState endpoint={endpoint} />,
    },
    {
      name: 'events',
      label: labels.events,
      size: 'small',
      card: 'start',
      cell: ({ events }) => <span title={events.join(', ')}>{words.eventsCount(events.length)}</span>,
    },
    { name: 'format', label: labels.format, size: 'small', card: 'end', cell: ({ format }) => words.formats[format] },
    {
      name: 'pending',
      label: labels.pending,
      size: 'small',
      card: 'start',
      cardLabel: labels.pending,
      cell: ({ pendingCount }) => words.waiting(pendingCount),
    },
    createdColumn(labels.created, 'end'),
  ]

  return <ListPage resource={webhooks} words={words} columns={columns} example={firstEndpoint} />
}
