import type { Order } from '@tollgate/contract/billing-types'
import { lineLabel } from '@tollgate/react'
import type { ReactNode } from 'react'
import { language } from '../../language.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import styles from './order-ticket.module.css'
import { ordersWords } from './orders.texts.ts'

const words = ordersWords.order.ticket

type Item = Pick<Order['items'][number], 'label' | 'amount' | 'proration'> & { readonly quantity?: number }

/** The amounts of an order, or of one that is to come. */
export type OrderAmounts = Pick<
  Order,
  | 'currency'
  | 'subtotalAmount'
  | 'discountAmount'
  | 'netAmount'
  | 'taxAmount'
  | 'totalAmount'
  | 'appliedBalanceAmount'
  | 'dueAmount'
> & { readonly items: readonly Item[] } & Partial<Pick<Order, 'tax' | 'refundedAmount' | 'refundedTaxAmount'>> & {
    readonly discount?: { readonly code?: string | null; readonly name: string } | null
  }

/** What an order adds up to. */
export const OrderTicket = ({ order }: { order: Order }) => (
  <Panel title={words.title}>
    <OrderLines order={order} label={words.title} />
  </Panel>
)

/** The amounts of an order, added up as in a ledger. What is nothing is left out, but for the total. */
export function OrderLines({ order, label }: { order: OrderAmounts; label: string }) {
  const { currency, items, subtotalAmount, discountAmount, netAmount, taxAmount, totalAmount } = order
  const { appliedBalanceAmount, dueAmount, refundedAmount = 0, refundedTaxAmount = 0, discount } = order
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  const isSplit = discountAmount !== 0 || taxAmount !== 0 || items.length > 1
  return (
    <div className={styles.ticket}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{words.item}</span>
            </th>
            <th scope="col">
              <span className="visually-hidden">{words.amount}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: items of a quote have no ids
              key={at}
              label={
                <>
                  {item.quantity === undefined || item.quantity === 1 ? null : `${item.quantity} × `}
                  {lineLabel(item.label, language)}{' '}
                  {item.proration ? <span className="chip">{words.proration}</span> : null}
                </>
              }
              amount={money(item.amount)}
            />
          ))}
        </tbody>
        <tbody>
          {isSplit ? <Line label={words.subtotal} amount={money(subtotalAmount)} /> : null}
          {discountAmount !== 0 ? (
            <Line
              label={discount ? words.discount(discount.code ?? discount.name) : words.unnamedDiscount}
              amount={money(-discountAmount)}
            />
          ) : null}
          {discountAmount !== 0 ? <Line label={words.net} amount={money(netAmount)} /> : null}
          <TaxLines order={order} />
        </tbody>
        <tbody className={styles.sum}>
          <Line label={words.total} amount={money(totalAmount)} />
        </tbody>
        <tbody>
          {appliedBalanceAmount !== 0 ? <Line label={words.balance} amount={money(appliedBalanceAmount)} /> : null}
          {dueAmount !== totalAmount && dueAmount !== 0 ? <Line label={words.due} amount={money(dueAmount)} /> : null}
          {refundedAmount !== 0 ? <Line label={words.refunded} amount={money(-refundedAmount)} /> : null}
          {refundedTaxAmount !== 0 ? <Line label={words.refundedTax} amount={money(-refundedTaxAmount)} /> : null}
        </tbody>
      </table>
    </div>
  )
}

/** Each tax with its rate, or why there is none; nothing if no tax is computed at all. */
function TaxLines({ order: { tax, taxAmount, currency } }: { order: OrderAmounts }) {
  if (tax && tax.lines.length > 0) {
    return tax.lines.map(({ name, percent, country, state, amount }) => (
      <Line
        key={`${name} ${country} ${state}`}
        label={words.taxLine(name, percent)}
        amount={<Money amount={amount} currency={currency} />}
      />
    ))
  }
  const label =
    tax?.treatment === 'reverse_charge' ? words.reverseCharge : tax?.treatment === 'exempt' ? words.exempt : words.tax
  if (taxAmount === 0 && label === words.tax) return null
  return <Line label={label} amount={<Money amount={taxAmount} currency={currency} />} />
}

const Line = ({ label, amount }: { label: ReactNode; amount: ReactNode }) => (
  <tr>
    <th scope="row">{label}</th>
    <td>{amount}</td>
  </tr>
)
