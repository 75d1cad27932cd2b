import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { waitsForAnswer } from '@tollgate/contract/billing'
import type { ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { ButtonLink } from '../parts/button-link.tsx'
import { moneyText } from '../parts/money.tsx'
import { outward } from '../parts/open-link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure, Waiting } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Ago, momentText } from '../parts/time.tsx'
import { useBrokenEndpoints, useOpenDisputes, useTaxSettings } from '../queries/attention.ts'
import { itemQuery, listQuery } from '../queries/billing.ts'
import { number } from '../texts.ts'
import { InvoiceGapsNotice } from './invoice-gaps-notice.tsx'
import { overviewWords as words } from './overview.texts.ts'
import { TryButton } from './product-link.tsx'
import { refundsWords } from './refunds.texts.ts'

/** Next steps, key figures, and recent activity. */
export function OverviewPage() {
  const { may } = useSeller()
  const steps = useFirstSteps()
  const { isLoading } = useTaxSettings()
  const isKnown = [useOpenDisputes(), useBrokenEndpoints()].every((found) => found !== undefined) && !isLoading
  return (
    <>
      <PageHead title={words.title} />
      {/* What stands first pushes nothing down later. */}
      {steps === 'unknown' || !isKnown ? (
        <Waiting label={words.loading} rows={8} />
      ) : (
        <div className="overview">
          <Notices />
          {/* Not before there is something to sell, and so to make an invoice of. */}
          {steps && !steps.product ? null : <InvoiceGapsNotice />}
          {steps ? <FirstSteps steps={steps} /> : null}
          {may('order', 'read') ? <Numbers /> : null}
          {may('order', 'read') ? (
            <div className="columns even">
              <RecentOrders />
              <RecentCheckouts />
            </div>
          ) : null}
        </div>
      )}
    </>
  )
}

/** Items that need attention: disputes with a deadline, and failing endpoints. */
function Notices() {
  const { slug } = useSeller()
  const disputes = useOpenDisputes() ?? []
  const broken = useBrokenEndpoints() ?? []
  const due = disputes
    .flatMap((dispute) => (waitsForAnswer(dispute) && dispute.evidenceDueBy ? [dispute.evidenceDueBy] : []))
    .toSorted()[0]
  const { disputes: disputeWords } = refundsWords
  return (
    <>
      {disputes.length > 0 ? (
        <div className="notice" data-tone="danger" role="status">
          <span>
            {disputeWords.notice(disputes.length)} {due ? disputeWords.noticeDue(momentText(due)) : null}
          </span>
          <Link to="/dashboard/$slug/refunds/disputes" params={{ slug }} className="link">
            {disputeWords.show}
          </Link>
        </div>
      ) : null}
      {broken.map((endpoint) => (
        <div key={endpoint.id} className="notice" data-tone={endpoint.enabled ? 'warn' : 'danger'} role="status">
          <span>{(endpoint.enabled ? words.endpoint.failing : words.endpoint.off)(endpoint.name || endpoint.url)}</span>
          <Link
            to="/dashboard/$slug/webhooks/$endpointId"
            params={{ slug, endpointId: endpoint.id }}
            className="link"
            aria-label={words.endpoint.showNamed(endpoint.name || endpoint.url)}
          >
            {words.endpoint.show}
          </Link>
        </div>
      ))}
    </>
  )
}

/** The newest product, the newest link that sells, and whether a program was told of anything. */
type Steps = {
  readonly product: { readonly id: string; readonly name: string } | undefined
  readonly link: { readonly url: string } | undefined
  /** Nothing where webhooks are not the viewer's. */
  readonly webhook: { readonly endpoint: { readonly id: string } | undefined; readonly isReceived: boolean } | undefined
}

/** How far one is on the way to a first order; nothing once there is one, or where it is not the viewer's to go. */
function useFirstSteps(): Steps | 'unknown' | undefined {
  const { billing, may } = useSeller()
  const mayLook = may('product', 'read') && may('order', 'read')
  const one = { limit: 1 }
  const products = useQuery({
    ...listQuery(['products', one], (options) => billing.listProducts(one, options)),
    enabled: mayLook,
  })
  const links = useQuery({
    ...listQuery(['checkout-links', one], (options) => billing.listCheckoutLinks(one, options)),
    enabled: mayLook,
  })
  const orders = useQuery({
    ...listQuery(['orders', one], (options) => billing.listOrders(one, options)),
    enabled: mayLook,
  })
  const webhook = useWebhookStep(mayLook)
  if (!mayLook) return undefined
  if (products.isPending || links.isPending || orders.isPending || webhook === 'unknown') return 'unknown'
  // Where one of them could not be read, the rest of the page says so.
  if (!products.data || !links.data || !orders.data || orders.data.items.length > 0) return undefined
  return { product: products.data.items[0], link: links.data.items[0], webhook }
}

/** Whether there is an endpoint, and whether anything has come through to one. */
function useWebhookStep(mayLook: boolean): Steps['webhook'] | 'unknown' {
  const { billing, may } = useSeller()
  const isTheirs = mayLook && may('webhook', 'read')
  const one = { limit: 1 }
  const succeeded = { limit: 1, succeeded: true }
  const endpoints = useQuery({
    ...listQuery(['webhooks', one], (options) => billing.listWebhookEndpoints(one, options)),
    enabled: isTheirs,
  })
  const deliveries = useQuery({
    ...listQuery(['webhook-deliveries', succeeded], (options) => billing.listWebhookDeliveries(succeeded, options)),
    enabled: isTheirs,
  })
  if (!isTheirs) return undefined
  if (endpoints.isPending || deliveries.isPending) return 'unknown'
  if (!endpoints.data || !deliveries.data) return undefined
  return { endpoint: endpoints.data.items[0], isReceived: deliveries.data.items.length > 0 }
}

/** What leads to a first order. */
function FirstSteps({ steps: { product, link, webhook } }: { steps: Steps }) {
  const { slug, may, sandbox } = useSeller()
  const mayWrite = may('product', 'write')
  const { first } = words
  const done = [product, link, webhook?.isReceived].filter(Boolean).length
  return (
    <Panel title={first.title}>
      <p className="quiet panel-text">{first.text(done, webhook ? 4 : 3)}</p>
      <ol className="rows">
        <Step isDone={product !== undefined} {...first.product}>
          {mayWrite ? (
            <ButtonLink to="/dashboard/$slug/products/$productId" params={{ slug, productId: 'new' }} size="compact-md">
              {first.product.action}
            </ButtonLink>
          ) : null}
        </Step>
        <Step isDone={link !== undefined} {...first.link}>
          {mayWrite && product ? (
            <ButtonLink to="/dashboard/$slug/checkout-links/$linkId" params={{ slug, linkId: 'new' }} size="compact-md">
              {first.link.action}
            </ButtonLink>
          ) : null}
        </Step>
        {webhook ? (
          <Step isDone={webhook.isReceived} {...first.webhook}>
            {may('webhook', 'write') ? <WebhookLink endpoint={webhook.endpoint} /> : null}
          </Step>
        ) : null}
        <Step isDone={false} title={first.order.title} text={sandbox ? first.order.sandbox : first.order.text}>
          {link ? (
            <Button
              component="a"
              href={link.url}
              target="_blank"
              rel="noopener"
              size="compact-md"
              rightSection={outward}
            >
              {first.order.action}
            </Button>
          ) : null}
          {!link && product && mayWrite ? <TryButton product={product} size="compact-md" /> : null}
        </Step>
      </ol>
    </Panel>
  )
}

/** To what is next: an endpoint, or a test event for the one that is there. */
function WebhookLink({ endpoint }: { endpoint: { readonly id: string } | undefined }) {
  const { slug } = useSeller()
  return endpoint ? (
    <ButtonLink
      to="/dashboard/$slug/webhooks/$endpointId"
      params={{ slug, endpointId: endpoint.id }}
      variant="default"
      size="compact-md"
    >
      {words.first.webhook.test}
    </ButtonLink>
  ) : (
    <ButtonLink to="/dashboard/$slug/webhooks/new" params={{ slug }} variant="default" size="compact-md">
      {words.first.webhook.action}
    </ButtonLink>
  )
}

type StepProps = { isDone: boolean; title: string; text: string; children: ReactNode }

function Step({ isDone, title, text, children }: StepProps) {
  const Icon = isDone ? IconCircleCheckFilled : IconCircle
  return (
    <li className="step" data-done={isDone || undefined}>
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className="grow">
        <strong className="block">{title}</strong>
        <span className="quiet">{text}</span>
        {isDone ? <span className="visually-hidden">. {words.first.done}</span> : null}
      </span>
      {isDone ? null : children}
    </li>
  )
}

/** How it goes; each number leads to the list that it counts. */
function Numbers() {
  const { billing, slug, may } = useSeller()
  const { data, error, refetch } = useQuery(itemQuery(['overview'], (options) => billing.getOverview({}, options)))
  const one = { limit: 1 }
  const running = { limit: 1, active: true }
  const subscriptions = useQuery({
    ...listQuery(['subscriptions', running], (options) => billing.listSubscriptions(running, options)),
    enabled: may('subscription', 'read'),
  })
  const customers = useQuery({
    ...listQuery(['customers', one], (options) => billing.listCustomers(one, options)),
    enabled: may('customer', 'read'),
  })
  if (error) return <Failure error={error} retry={refetch} needs="order:read" />
  const count = (total: number | undefined) => (total === undefined ? '…' : number.format(total))
  return (
    <section aria-label={words.numbers} className="numbers">
      <Figure label={words.revenue} hint={words.revenueHint}>
        <Link to="/dashboard/$slug/orders" params={{ slug }} search={{ status: 'paid' }}>
          {data ? <Revenue revenue={data.revenue} /> : '…'}
        </Link>
      </Figure>
      <Figure label={words.orders}>
        <Link to="/dashboard/$slug/orders" params={{ slug }}>
          {count(data?.orders)}
        </Link>
      </Figure>
      {may('subscription', 'read') ? (
        <Figure label={words.subscriptions}>
          <Link to="/dashboard/$slug/subscriptions" params={{ slug }} search={{ stage: 'running' }}>
            {count(subscriptions.data?.pagination.totalCount)}
          </Link>
        </Figure>
      ) : null}
      {may('customer', 'read') ? (
        <Figure label={words.customers}>
          <Link to="/dashboard/$slug/customers" params={{ slug }}>
            {count(customers.data?.pagination.totalCount)}
          </Link>
        </Figure>
      ) : null}
    </section>
  )
}

type RevenueProps = { revenue: readonly { readonly currency: string; readonly amount: number }[] }

/** Amounts in several currencies cannot be summed; each is shown. */
const Revenue = ({ revenue }: RevenueProps) =>
  revenue.length === 0
    ? words.none
    : revenue.map(({ amount, currency }) => (
        <span key={currency} className="figure-part">
          {moneyText(amount, currency)}
        </span>
      ))

const Figure = ({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) => (
  <div className="panel figure">
    <p className="figure-label">{label}</p>
    <p className="figure-number">{children}</p>
    {hint ? <p className="quiet">{hint}</p> : null}
  </div>
)

const recent = { limit: 6 }

function RecentOrders() {
  const { billing, slug } = useSeller()
  const { data, error, refetch } = useQuery(
    listQuery(['orders', recent], (options) => billing.listOrders(recent, options)),
  )
  const { title, all, none, loading } = words.recentOrders
  return (
    <Panel
      title={title}
      actions={
        <Link to="/dashboard/$slug/orders" params={{ slug }} className="link">
          {all}
        </Link>
      }
    >
      {error ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={loading} rows={recent.limit} /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{none}</p> : null}
      <ul className="rows recent">
        {data?.items.map(({ id, product, customer, totalAmount, currency, status, createdAt }) => (
          <li key={id}>
            <span className="grow">
              <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId: id }} className="link block">
                {product.name}
              </Link>
              <span className="quiet">{customer.name || customer.email}</span>
            </span>
            <span className="recent-end">
              <span className="money">{moneyText(totalAmount, currency)}</span>
              <span className="quiet">
                <Status value={status} /> · <Ago at={createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function RecentCheckouts() {
  const { billing, slug, may } = useSeller()
  const { data, error, refetch } = useQuery(
    listQuery(['checkouts', recent], (options) => billing.listCheckouts(recent, options)),
  )
  const { title, none, loading, noAddress } = words.recentCheckouts
  return (
    <Panel title={title}>
      {error ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={loading} rows={recent.limit} /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{none}</p> : null}
      <ul className="rows recent">
        {data?.items.map(({ id, product, customerId, customerEmail, totalAmount, currency, status, createdAt }) => (
          <li key={id}>
            <span className="grow">
              {may('product', 'read') ? (
                <Link
                  to="/dashboard/$slug/products/$productId"
                  params={{ slug, productId: product.id }}
                  className="link block"
                >
                  {product.name}
                </Link>
              ) : (
                <span className="block">{product.name}</span>
              )}
              {customerId && may('customer', 'read') ? (
                <Link
                  to="/dashboard/$slug/customers/$customerId"
                  params={{ slug, customerId }}
                  className="link quiet block"
                >
                  {customerEmail ?? noAddress}
                </Link>
              ) : (
                <span className="quiet">{customerEmail ?? noAddress}</span>
              )}
            </span>
            <span className="recent-end">
              <span className="money">{moneyText(totalAmount, currency)}</span>
              <span className="quiet">
                <Status value={status} /> · <Ago at={createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
