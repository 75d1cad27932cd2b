import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import type { Order, Refund } from '@tollgate/contract/billing-types'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { useSeller } from '../../context.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Moment } from '../../parts/time.tsx'
import { listQuery } from '../../queries/billing.ts'
import { leftToRefund, mostToRefund } from '../refunds/refund-effect.ts'
import { refundsWords } from '../refunds/refunds.texts.ts'
import { useOpenDispute } from './order-disputes.tsx'

const words = refundsWords.panel

/** Loaded when it opens for the first time. */
const RefundDialog = lazy(async () => ({ default: (await import('../refunds/refund.dialog.tsx')).RefundDialog }))

/** How often something that the processor still works on is looked at, in milliseconds. */
const lookEvery = 2_000

export function refundsOf(billing: BillingClient, orderId: string) {
  const query = { orderId: [orderId], limit: 100 }
  return listQuery(['refunds', query], (options) => billing.listRefunds(query, options))
}

/** The refunds of an order; as long as one is pending they are read again and again. */
function useRefunds(orderId: string) {
  const { billing, queries } = useSeller()
  const asked = useQuery({
    ...refundsOf(billing, orderId),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'pending') ? lookEvery : false),
  })
  // Whatever has come of one has changed the order and its documents, too.
  const states = asked.data?.items.map(({ id, status }) => `${id} ${status}`).join()
  const [seen, setSeen] = useState(states)
  useEffect(() => {
    if (states === seen) return
    setSeen(states)
    if (seen === undefined) return
    void queries.invalidateQueries({ queryKey: ['billing', 'order', orderId] })
    void queries.invalidateQueries({ queryKey: ['billing', 'documents', orderId] })
  }, [states, seen, queries, orderId])
  return asked
}

/** What was given back of an order, and what still can be. */
export function RefundsPanel({ order }: { order: Order }) {
  const { may } = useSeller()
  const { data, error, refetch } = useRefunds(order.id)
  const [isAsking, setAsking] = useState(false)
  // Each opening begins anew.
  const [openings, setOpenings] = useState(0)
  const left = leftToRefund(order, data?.items ?? [])
  const isDisputed = useOpenDispute(order.id) !== undefined
  const hint = useId()
  const mayRefund = data !== undefined && mostToRefund(left) > 0 && may('order', 'write')
  return (
    <Panel
      title={refundsWords.title}
      count={data?.pagination.totalCount}
      actions={
        mayRefund ? (
          <Button
            variant="default"
            size="compact-sm"
            {...(isDisputed && { 'aria-disabled': true, 'aria-describedby': hint })}
            onClick={() => {
              if (isDisputed) return
              setOpenings(openings + 1)
              setAsking(true)
            }}
          >
            {words.button}
          </Button>
        ) : null
      }
    >
      {mayRefund && isDisputed ? (
        <p id={hint} className="quiet panel-note">
          {refundsWords.disputes.noRefund}
        </p>
      ) : null}
      {error && !data ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} tall={order.refundedAmount > 0} /> : null}
      {data?.items.length === 0 ? (
        <p className="quiet panel-text">{order.paid && order.netAmount > 0 ? words.none : words.nothingPaid}</p>
      ) : null}
      {data && data.items.length > 0 ? (
        <ul className="rows">
          {data.items.map((refund) => (
            <RefundLine key={refund.id} refund={refund} />
          ))}
        </ul>
      ) : null}
      {mostToRefund(left) > 0 ? (
        <Facts>
          <Fact label={words.left}>
            <Money amount={left.amount} currency={order.currency} />
          </Fact>
          <Fact label={words.leftTax}>
            {left.taxAmount > 0 ? <Money amount={left.taxAmount} currency={order.currency} /> : null}
          </Fact>
        </Facts>
      ) : null}
      {data && openings > 0 ? (
        <Suspense>
          <RefundDialog key={openings} order={order} left={left} opened={isAsking} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </Panel>
  )
}

function RefundLine({ refund }: { refund: Refund }) {
  const { amount, taxAmount, currency, status, reason, createdAt, failureReason, creditNoteNumber, revokeBenefits } =
    refund
  const notes = [
    refundsWords.reasons[reason],
    creditNoteNumber && words.creditNote(creditNoteNumber),
    revokeBenefits && words.benefits,
  ]
  return (
    <li>
      <span className="grow">
        <Money amount={amount + taxAmount} currency={currency} />
        {taxAmount > 0 ? <span className="quiet"> · {refundsWords.tax(moneyText(taxAmount, currency))}</span> : null}
        <span className="quiet block">
          {notes.filter(Boolean).join(' · ')} · <Moment at={createdAt} />
        </span>
        {failureReason ? <span className="quiet block">{failureReason}</span> : null}
        {status === 'pending' ? <span className="quiet block">{words.pending}</span> : null}
      </span>
      <Status value={status} />
    </li>
  )
}
