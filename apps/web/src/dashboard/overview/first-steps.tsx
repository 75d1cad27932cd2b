import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Order } from '@tollgate/contract/billing-types'
import { GateMark } from '@tollgate/react'
import { type ReactNode, useState } from 'react'
import { useSeller } from '../context.ts'
import { ButtonLink } from '../parts/button-link.tsx'
import { moneyText } from '../parts/money.tsx'
import { outward } from '../parts/open-link.tsx'
import { Panel } from '../parts/panel.tsx'
import { listQuery } from '../queries/billing.ts'
import { TryButton } from '../seller/products/product-link.tsx'
import styles from './first-steps.module.css'
import { overviewWords as words } from './overview.texts.ts'

/** The newest product, the newest link that sells, and whether a program was told of anything. */
export type Steps = {
  readonly product: { readonly id: string; readonly name: string } | undefined
  readonly link: { readonly url: string } | undefined
  /** Nothing where webhooks are not the viewer's. */
  readonly webhook: { readonly endpoint: { readonly id: string } | undefined; readonly isReceived: boolean } | undefined
  /** The newest order, and whether it is the only one. */
  readonly order: (FirstOrder & { readonly isFirst: boolean }) | undefined
}

type FirstOrder = Pick<Order, 'id' | 'netAmount' | 'currency' | 'customer' | 'product'>

/** How far the shop is on the way to a first order and beyond; undefined where it is not the viewer's to go. */
export function useFirstSteps(): Steps | 'unknown' | undefined {
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
  if (!products.data || !links.data || !orders.data) return undefined
  const [newest] = orders.data.items
  return {
    product: products.data.items[0],
    link: links.data.items[0],
    webhook,
    order: newest && { ...newest, isFirst: orders.data.pagination.totalCount === 1 },
  }
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

/** Whether a step is left. */
const isOpen = ({ product, link, webhook, order }: Steps): boolean =>
  !product || !link || !order || webhook?.isReceived === false

/**
 * What leads to a first order. It stays until every step is done, or until a shop that sells hides it. The first order is
 * a reason for joy, and for the next step.
 */
export function FirstSteps({ steps }: { steps: Steps }) {
  const { organization } = useSeller()
  const [isHidden, hide] = useHidden(organization.id)
  const { order } = steps
  if (!isOpen(steps)) return order?.isFirst ? <FirstOrder order={order} link={steps.link} /> : null
  if (isHidden && order) return null
  return (
    <>
      {order?.isFirst ? <FirstOrder order={order} link={undefined} /> : null}
      <Checklist steps={steps} hide={order ? hide : undefined} />
    </>
  )
}

/** Tickets that fly up, for people who do not mind movement. */
const tickets = Array.from({ length: 12 }, (_, ticket) => ticket)

/** The shop's first order, by name. */
function FirstOrder({ order, link }: { order: FirstOrder; link: Steps['link'] }) {
  const { slug } = useSeller()
  const { joy } = words
  const { customer, product, netAmount, currency } = order
  return (
    <section className={`panel ${styles.joy}`} aria-label={joy.title}>
      <span className={styles.tickets} aria-hidden="true">
        {tickets.map((ticket) => (
          <i key={ticket} />
        ))}
      </span>
      <GateMark open />
      <div className="grow">
        <h2>{joy.title}</h2>
        <p className="quiet">
          {joy.text(customer.name || customer.email, product.name, moneyText(netAmount, currency))}
        </p>
      </div>
      <div className="actions">
        <ButtonLink
          to="/dashboard/$slug/orders/$orderId"
          params={{ slug, orderId: order.id }}
          variant="default"
          size="compact-md"
        >
          {joy.order}
        </ButtonLink>
        {link ? (
          <ButtonLink to="/dashboard/$slug/checkout-links" params={{ slug }} size="compact-md">
            {joy.next}
          </ButtonLink>
        ) : null}
      </div>
    </section>
  )
}

type ChecklistProps = {
  steps: Steps
  /** Given once the shop sells: the rest is then its own choice. */
  hide: (() => void) | undefined
}

function Checklist({ steps: { product, link, webhook, order }, hide }: ChecklistProps) {
  const { slug, may, sandbox } = useSeller()
  const mayWrite = may('product', 'write')
  const { first } = words
  const done = [product, link, webhook?.isReceived, order].filter(Boolean).length
  return (
    <Panel
      title={order ? first.goOn : first.title}
      actions={
        hide ? (
          <Button variant="default" size="compact-sm" onClick={hide}>
            {first.hide}
          </Button>
        ) : null
      }
    >
      <p className="quiet panel-text">{first.text(done, webhook ? 4 : 3)}</p>
      {/* What is done makes room for the figures once there are any. */}
      <ol className="rows" data-brief={order ? true : undefined}>
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
        <Step
          isDone={order !== undefined}
          title={first.order.title}
          text={sandbox ? first.order.sandbox : first.order.text}
        >
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
    <li className={styles.step} data-done={isDone || undefined}>
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

/** The viewer's own choice, kept in a cookie: the server draws the page without the list too. */
function useHidden(organizationId: string): [boolean, () => void] {
  const { hidesFirstSteps } = useSeller()
  const kept = `tollgate_first_steps_${organizationId}=hidden`
  const [isHidden, setHidden] = useState(() => hidesFirstSteps || isKept(kept))
  const hide = () => {
    setHidden(true)
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${kept}; Max-Age=31536000; Path=/dashboard; SameSite=Lax`
  }
  return [isHidden, hide]
}

/** Since the document came. */
const isKept = (cookie: string): boolean => typeof document !== 'undefined' && document.cookie.includes(cookie)
