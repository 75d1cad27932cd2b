import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import type { Order, OrderDocument } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { textOf } from '../../parts/form.ts'
import { outward } from '../../parts/open-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Refusals } from '../../parts/refusals.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Moment } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery } from '../../queries/billing.ts'
import { AddressFields } from '../customers/address-fields.tsx'
import { addressIn } from '../customers/customer-values.ts'
import { documentsWords as words } from './documents.texts.ts'
import { InvoiceGapsNotice } from './invoice-gaps-notice.tsx'

/** The addresses of documents hold for a while only: they are asked for anew before that is over. */
const askEvery = 4 * 60_000

export const documentsOf = (billing: BillingClient, orderId: string) =>
  itemQuery(['documents', orderId], (options) => billing.listOrderDocuments({ id: orderId }, options))

/** What was issued for an order, and the way to an invoice where there is none yet. */
export function DocumentsPanel({ order }: { order: Order }) {
  const { billing } = useSeller()
  const { data, error, refetch } = useQuery({
    ...documentsOf(billing, order.id),
    refetchInterval: askEvery,
  })
  const hasInvoice = data?.items.some(({ kind }) => kind === 'invoice')
  return (
    <Panel title={words.title} count={data?.items.length}>
      <InvoiceGapsNotice isInPanel />
      {error && !data ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={rowsOf(order)} tall /> : null}
      {data && data.items.length > 0 ? (
        <ul className="rows">
          {data.items.map((document) => (
            <DocumentLine key={document.id} document={document} />
          ))}
        </ul>
      ) : null}
      {data && !hasInvoice ? <NoInvoice order={order} /> : null}
    </Panel>
  )
}

/** How many documents are to be expected: receipt and invoice, or what stands in its place, and a credit note. */
const rowsOf = ({ paid, refundedAmount }: Order) => (paid ? 2 : 1) + (refundedAmount > 0 ? 1 : 0)

function DocumentLine({
  document: { kind, number, issuedAt, voidedAt, lacksFonts, url },
}: {
  document: OrderDocument
}) {
  return (
    <li>
      <span className="grow">
        {words.kinds[kind]} <span className="mono">{number}</span>
        <span className="quiet block">
          <Moment at={issuedAt} />
          {voidedAt === null ? null : (
            <>
              {' · '}
              {words.voidSince} <Moment at={voidedAt} />
            </>
          )}
        </span>
        {lacksFonts ? <span className="quiet block">{words.lacksFonts}</span> : null}
      </span>
      <a
        href={url}
        target="_blank"
        rel="noopener"
        className="link with-icon"
        aria-label={words.openNamed(words.kinds[kind], number)}
      >
        {words.open}
        {outward}
      </a>
    </li>
  )
}

/** Until the invoice is issued it can be said whom it is made out to. */
function NoInvoice({ order }: { order: Order }) {
  const { billing, queries, may } = useSeller()
  const [isEditing, setEditing] = useState(false)
  const issue = useMutation({
    mutationFn: () => answerOf(billing.createOrderInvoice({ id: order.id })),
    onSuccess: () => {
      notifications.show({ message: words.issued })
      return queries.invalidateQueries({ queryKey: ['billing'] })
    },
  })
  if (!order.paid)
    return <p className="quiet panel-text">{order.voidedAt === null ? words.notPaid : words.orderVoid}</p>
  const isReady = Boolean(order.billingName && order.billingAddress)
  return (
    <div className="panel-text fields">
      <p className="quiet">{isReady ? words.noInvoice : words.missing}</p>
      <div role="alert" className="alert-place">
        {issue.error ? <Refusals messages={[issue.error.message]} /> : null}
      </div>
      {may('order', 'write') ? (
        <div className="actions">
          <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
            {words.details}
          </Button>
          {isReady ? (
            <Button
              variant="default"
              size="compact-sm"
              aria-disabled={issue.isPending || undefined}
              onClick={() => !issue.isPending && issue.mutate()}
            >
              {words.issue}
            </Button>
          ) : null}
        </div>
      ) : null}
      <BillingDetailsDialog order={order} opened={isEditing} onClose={() => setEditing(false)} />
    </div>
  )
}

type DialogProps = { order: Order; opened: boolean; onClose: () => void }

function BillingDetailsDialog({ order, ...frame }: DialogProps) {
  const { billing } = useSeller()
  const { editing } = words
  async function save(form: FormData) {
    const billingName = textOf(form, 'billing_name') || null
    await answerOf(billing.updateOrder({ id: order.id, billingName, billingAddress: addressIn(form) ?? null }))
    return editing.done
  }
  return (
    <ActionDialog {...frame} title={editing.title} text={editing.text} submit={editing.submit} run={save}>
      {(errorOf) => (
        <>
          <TextInput
            name="billing_name"
            label={editing.name}
            defaultValue={order.billingName ?? ''}
            autoComplete="off"
            maxLength={256}
            error={errorOf('billing_name')}
            data-autofocus
          />
          <AddressFields address={order.billingAddress} errorOf={errorOf} />
        </>
      )}
    </ActionDialog>
  )
}
