import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TimelineItem } from '@tollgate/contract/billing-types'
import type { EventKind } from '@tollgate/contract/events'
import { type ReactNode, useState } from 'react'
import { useSeller } from '../../context.ts'
import { language } from '../../language.ts'
import { Panel } from '../../parts/panel.tsx'
import { Empty, Failure, Waiting } from '../../parts/states.tsx'
import { momentText } from '../../parts/time.tsx'
import { timelineQuery } from '../../queries/billing.ts'
import { zonedFormat } from '../../zone.ts'
import { activityWords as words } from './activity.texts.ts'
import styles from './activity-list.module.css'
import { byDay, sentenceOf, toneOf, typesOf } from './activity-text.ts'

const day = zonedFormat({ dateStyle: 'full' }, language)
const time = zonedFormat({ timeStyle: 'short' }, language)

type FilterProps = {
  kinds: readonly EventKind[]
  kind: EventKind | undefined
  onChange: (kind: EventKind | undefined) => void
}

/** Narrows what is shown to one kind. */
export function ActivityFilter({ kinds, kind, onChange }: FilterProps) {
  return (
    <search className="filters">
      <NativeSelect
        aria-label={words.kind}
        value={kind ?? ''}
        onChange={(event) => onChange(kinds.find((each) => each === event.currentTarget.value))}
        data={[{ value: '', label: words.every }, ...kinds.map((value) => ({ value, label: words.kinds[value] }))]}
      />
    </search>
  )
}

const customerKinds = (Object.keys(words.kinds) as EventKind[]).filter((kind) => kind !== 'catalog')

/** The events of one customer. Administrators of the installation also see those of the account. */
export function CustomerActivityPanel({ customerId }: { customerId: string }) {
  const [kind, setKind] = useState<EventKind>()
  return (
    <Panel title={words.title}>
      <div className="panel-text">
        <ActivityFilter kinds={customerKinds} kind={kind} onChange={setKind} />
        <ActivityList of={{ customerId }} kind={kind} heading="h3" onEverything={() => setKind(undefined)} />
      </div>
    </Panel>
  )
}

/** The events of one subscription and of its orders. */
export const SubscriptionActivityPanel = ({ subscriptionId }: { subscriptionId: string }) => (
  <Panel title={words.title}>
    <div className="panel-text">
      <ActivityList of={{ subscriptionId }} kind={undefined} heading="h3" />
    </div>
  </Panel>
)

/** What a page is about: its events do not link to it. */
type Subject = { readonly customerId?: string; readonly subscriptionId?: string }

type ListProps = {
  of: Subject
  kind: EventKind | undefined
  /** Of the days, below that of the page or panel. */
  heading: 'h2' | 'h3'
  onEverything?: () => void
}

/** Events by their days, the newest first, page after page. */
export function ActivityList({ of, kind, heading: Heading, onEverything }: ListProps) {
  const { billing } = useSeller()
  const query = { ...of, ...(kind && { type: typesOf(kind) }) }
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    timelineQuery(billing, query),
  )
  if (!data) {
    return error ? (
      <Failure error={error} retry={refetch} needs="customer:read" />
    ) : (
      <Waiting label={words.loading} rows={8} />
    )
  }
  const events = data.pages.flatMap(({ items }) => items)
  if (events.length === 0) {
    if (!kind) return <Empty {...words.none} />
    return (
      <Empty title={words.noMatch.title}>
        <Button variant="default" onClick={onEverything}>
          {words.noMatch.clear}
        </Button>
      </Empty>
    )
  }
  return (
    <>
      {byDay(events, (at) => day(at)).map((part) => (
        <section key={part.day}>
          <Heading className={styles.day}>{part.day}</Heading>
          <ol className="timeline">
            {part.events.map((event) => (
              <Line key={event.id} event={event} of={of} />
            ))}
          </ol>
        </section>
      ))}
      {error ? <Failure error={error} retry={fetchNextPage} needs="customer:read" /> : null}
      {hasNextPage && !error ? (
        <Button
          variant="default"
          aria-disabled={isFetchingNextPage || undefined}
          onClick={() => !isFetchingNextPage && fetchNextPage()}
        >
          {words.older}
        </Button>
      ) : null}
    </>
  )
}

function Line({ event, of }: { event: TimelineItem; of: Subject }) {
  const sentence = sentenceOf(event)
  const { actor, deliveries, createdAt } = event
  const links = useLinks(event, sentence, of)
  const states = ['succeeded', 'pending', 'failed'] as const
  const sent = states.flatMap((state) => (deliveries?.[state] ? [words.sent[state](deliveries[state])] : []))
  return (
    <li data-tone={toneOf(event.type)}>
      <strong>{sentence}</strong>
      <span className="quiet block">
        <time dateTime={createdAt} title={momentText(createdAt)}>
          {time(createdAt)}
        </time>
        {[...(actor?.name ? [words.by(actor.name)] : []), ...sent].map((note) => ` · ${note}`)}
        {links.map((link) => [' · ', link])}
      </span>
    </li>
  )
}

/** The ways to what an event is about, as far as the viewer may look at it. */
function useLinks(event: TimelineItem, sentence: string, of: Subject): ReactNode[] {
  const { slug, may } = useSeller()
  const { subjectId, customerId, data, type } = event
  const family = type.split('.')[0]
  const orderId = family === 'order' ? subjectId : family === 'refund' || family === 'dispute' ? data?.orderId : null
  const named = (label: string) => ({
    key: label,
    className: 'link',
    'aria-label': words.linkOf(label, sentence),
    children: label,
  })
  const links: ReactNode[] = []
  if (typeof orderId === 'string' && may('order', 'read'))
    links.push(<Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId }} {...named(words.order)} />)
  if (family === 'subscription' && subjectId && subjectId !== of.subscriptionId && may('subscription', 'read'))
    links.push(
      <Link
        to="/dashboard/$slug/subscriptions/$subscriptionId"
        params={{ slug, subscriptionId: subjectId }}
        {...named(words.subscription)}
      />,
    )
  if (family === 'checkout' && subjectId && may('order', 'read'))
    links.push(
      <Link
        to="/dashboard/$slug/payments"
        params={{ slug }}
        search={{ checkout: subjectId }}
        {...named(words.payments)}
      />,
    )
  if (family === 'product' && subjectId && may('product', 'read'))
    links.push(
      <Link
        to="/dashboard/$slug/products/$productId"
        params={{ slug, productId: subjectId }}
        {...named(words.product)}
      />,
    )
  const isOfAnother = of.customerId === undefined && of.subscriptionId === undefined
  if (customerId && isOfAnother && type !== 'customer.deleted')
    links.push(
      <Link to="/dashboard/$slug/customers/$customerId" params={{ slug, customerId }} {...named(words.customer)} />,
    )
  return links
}
