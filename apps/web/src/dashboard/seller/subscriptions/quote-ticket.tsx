import type { BillingAnswer, Subscription } from '@tollgate/contract/billing-types'
import { Fact } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { momentText } from '../../parts/time.tsx'
import { OrderLines } from '../orders/order-ticket.tsx'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.change

type Props = {
  quote: BillingAnswer<'previewSubscriptionChange'>
  subscription: Pick<Subscription, 'currency' | 'currentPeriodEnd' | 'discount' | 'collectionMethod'>
}

/** What a change costs: its order as the invoice will look, and what the period after it costs. */
export function QuoteTicket({
  quote: { order, nextOrder, appliesAt },
  subscription: { currency, currentPeriodEnd, discount, collectionMethod },
}: Props) {
  const isLater = appliesAt === currentPeriodEnd
  return (
    <>
      {order ? <OrderLines order={{ ...order, discount }} label={words.order} /> : null}
      <dl className="facts amounts">
        <Fact label={words.applies}>{isLater ? momentText(appliesAt) : null}</Fact>
        <Fact label={collectionMethod === 'send_invoice' ? words.invoiced : words.dueNow}>
          <strong>
            <Money amount={order?.dueAmount ?? 0} currency={currency} />
          </strong>
        </Fact>
        <Fact label={words.credited}>
          {order && order.totalAmount < 0 ? <Money amount={-order.totalAmount} currency={currency} /> : null}
        </Fact>
        <Fact label={words.nextOrder}>
          {nextOrder ? <Money amount={nextOrder.dueAmount} currency={nextOrder.currency} /> : null}
        </Fact>
      </dl>
      {nextOrder && !order ? <OrderLines order={{ ...nextOrder, discount }} label={words.nextOrder} /> : null}
    </>
  )
}
