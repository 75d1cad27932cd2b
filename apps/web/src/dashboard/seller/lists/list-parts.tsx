import type { Column, Narrowing } from '../../parts/billing-table.tsx'
import { type BillingStatus, Status } from '../../parts/status.tsx'
import type { CellLook } from '../../parts/table.tsx'
import { texts } from '../../texts.ts'
import { useCustomerName } from './list-choices.ts'

/*
 * What the lists of orders, subscriptions, payments, refunds and disputes have in common.
 */

/** What was, or is to be paid: lists can be sorted by it. */
export const amountColumn = <Item,>(
  label: string,
  look: Pick<CellLook, 'align' | 'card' | 'size'>,
  cell: Column<Item, never>['cell'],
): Column<Item, '-amount' | 'amount'> => ({
  name: 'amount',
  label,
  sorts: ['-amount', 'amount'],
  size: 'medium',
  ...look,
  cell,
})

export const statusColumn = (
  label: string,
  card: NonNullable<CellLook['card']>,
): Column<{ status: BillingStatus }, never> => ({
  name: 'status',
  label,
  size: 'medium',
  card,
  cell: ({ status }) => <Status value={status} />,
})

type StatusWords = { readonly status: string; readonly everyStatus: string }

export const statusFilter = (words: StatusWords, statuses: readonly (keyof typeof texts.status)[]) => ({
  name: 'status' as const,
  label: words.status,
  all: words.everyStatus,
  options: statuses.map((each) => ({ value: each, label: texts.status[each] })),
})

const owners = ['order', 'checkout', 'customer'] as const
type Owner = (typeof owners)[number]

/** What a link from elsewhere has narrowed a list to, by ids. */
export function useNarrowings(
  words: { readonly [Name in Owner]?: string },
  ids: { readonly [Name in Owner]?: string | undefined },
): readonly Narrowing[] {
  const customer = useCustomerName(ids.customer)
  return owners.flatMap((name) => {
    const [label, id] = [words[name], ids[name]]
    return label === undefined || id === undefined ? [] : [{ name, label, value: name === 'customer' ? customer : id }]
  })
}
