import { Link } from '@tanstack/react-router'
import type { Discount } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { bulkRemoval, type Columns, createdColumn, ListPage } from '../../parts/list-page.tsx'
import { Dot } from '../../parts/status.tsx'
import { worthText } from './discount-worth.ts'
import { discounts } from './discounts.resource.ts'
import { discountsWords as words } from './discounts.texts.ts'

/** All discounts. */
export function DiscountsPage() {
  const { billing, slug } = useSeller()
  const example = { name: 'Spring', code: 'SPRING', type: 'percentage', basisPoints: 2000, duration: 'once' } as const
  const createCall = apiCall('createDiscount', example)

  const columns: Columns<typeof discounts> = [
    {
      name: 'name',
      label: words.columns.name,
      sorts: ['name', '-name'],
      card: 'start',
      cell: ({ id, name }, cameFrom) => (
        <Link
          to="/dashboard/$slug/discounts/$discountId"
          params={{ slug, discountId: id }}
          state={cameFrom}
          className="row-link"
        >
          {name}
        </Link>
      ),
    },
    {
      name: 'status',
      label: words.columns.status,
      size: 'small',
      card: 'end',
      cell: (discount) => <Stage discount={discount} />,
    },
    {
      name: 'code',
      label: words.columns.code,
      sorts: ['code', '-code'],
      size: 'medium',
      card: 'start',
      cell: ({ code }) => (code ? <code>{code}</code> : words.noCode),
    },
    { name: 'worth', label: words.columns.worth, card: 'wide', cell: worthText },
    {
      name: 'redeemed',
      label: words.columns.redeemed,
      sorts: ['-redeemed', 'redeemed'],
      size: 'medium',
      align: 'end',
      card: 'hidden',
      cell: ({ redemptionsCount, maxRedemptions }) => words.redeemedOf(redemptionsCount, maxRedemptions),
    },
    createdColumn(words.columns.created, 'hidden'),
  ]

  return (
    <ListPage
      resource={discounts}
      words={words}
      columns={columns}
      bulk={{ nameOf: ({ name }) => name, actions: [bulkRemoval(billing.deleteDiscount, words.bulk)] }}
      example={createCall}
    />
  )
}

/** Whether it can be redeemed now (billing contract, DIS-4). */
function Stage({ discount }: { discount: Discount }) {
  const { now } = useSeller()
  const { startsAt, endsAt, maxRedemptions, redemptionsCount } = discount
  const { status } = words
  if (endsAt && Date.parse(endsAt) < now()) return <Dot tone="plain">{status.over}</Dot>
  if (maxRedemptions !== null && redemptionsCount >= maxRedemptions) return <Dot tone="plain">{status.used}</Dot>
  if (startsAt && Date.parse(startsAt) > now()) return <Dot tone="warn">{status.waiting}</Dot>
  return <Dot tone="ok">{status.running}</Dot>
}
