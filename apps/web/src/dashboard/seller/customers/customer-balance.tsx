import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingClient } from '@tollgate/client'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { lazy, Suspense } from 'react'
import { useSeller } from '../../context.ts'
import { useAsked } from '../../parts/asked.ts'
import { Money, moneyText } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Day } from '../../parts/time.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { latestOrders } from '../orders/orders-panel.tsx'
import { customersWords } from './customers.texts.ts'

const words = customersWords.balance

/** Loaded when it opens for the first time: few balances are changed by hand. */
const BalanceDialog = lazy(async () => ({ default: (await import('./balance.dialog.tsx')).BalanceDialog }))

/** A customer's balances, and the newest entries of their ledger. */
export const balanceOf = (billing: BillingClient, customerId: string) =>
  itemQuery(['customer', customerId, 'balance'], (options) =>
    billing.listCustomerBalance({ id: customerId, limit: 10 }, options),
  )

type Entry = BillingAnswer<'listCustomerBalance'>['items'][number]

/** What a customer has as credit or owes in each currency, why, and a dialog that changes it. */
export function BalancePanel({ customerId }: { customerId: string }) {
  const { billing, may } = useSeller()
  const { data, error, refetch } = useQuery(balanceOf(billing, customerId))
  const mayReadOrders = may('order', 'read')
  const orders = useQuery({ ...latestOrders(billing, { customerId: [customerId] }), enabled: mayReadOrders })
  const { what, opening, ask, frame } = useAsked<'change'>()
  const balances = data?.balances.filter(({ amount }) => amount !== 0) ?? []
  const currency = balances[0]?.currency ?? orders.data?.items[0]?.currency ?? 'usd'
  return (
    <Panel
      title={words.title}
      actions={
        may('customer', 'write') ? (
          <Button variant="default" size="compact-sm" onClick={() => ask('change')}>
            {words.change}
          </Button>
        ) : null
      }
    >
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} /> : null}
      {data && balances.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      {balances.length === 0 ? null : (
        <p className="panel-text">
          {balances.map(({ currency, amount }) => (
            <strong key={currency} className="block">
              {(amount > 0 ? words.credit : words.debt)(moneyText(Math.abs(amount), currency))}
            </strong>
          ))}
        </p>
      )}
      <ul className="rows">
        {data?.items.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      <Suspense>
        {what ? <BalanceDialog key={opening} customerId={customerId} currency={currency} {...frame} /> : null}
      </Suspense>
    </Panel>
  )
}

function EntryRow({ entry: { amount, currency, type, reason, orderId, createdAt } }: { entry: Entry }) {
  const { slug, may } = useSeller()
  const causes: Readonly<Record<string, string>> = words.causes
  const cause = reason ?? causes[type] ?? words.causes.other
  return (
    <li>
      <span className="grow">
        {orderId && may('order', 'read') ? (
          <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId }} className="link">
            {cause}
          </Link>
        ) : (
          cause
        )}
        <span className="quiet block">
          <Day at={createdAt} />
        </span>
      </span>
      <span>
        {amount > 0 ? '+' : null}
        <Money amount={amount} currency={currency} />
      </span>
    </li>
  )
}
