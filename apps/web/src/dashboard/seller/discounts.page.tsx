import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Discount } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall, curlOf } from '../parts/api-command.ts'
import { BillingTable, type Column } from '../parts/billing-table.tsx'
import { ButtonLink } from '../parts/button-link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Dot } from '../parts/status.tsx'
import { Day } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'
import { worthText } from './discount-draft.ts'
import { discountsQueryOf, type Sort } from './discounts.search.ts'
import { discountsWords as words } from './discounts.texts.ts'

const route = getRouteApi('/dashboard/$slug/discounts')

/** What is taken off prices. */
export function DiscountsPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const example = { name: 'Spring', code: 'SPRING', type: 'percentage', basisPoints: 2000, duration: 'once' } as const
  const createCall = apiCall('createDiscount', example)
  const create = may('discount', 'write') ? (
    <ButtonLink
      to="/dashboard/$slug/discounts/$discountId"
      params={{ slug, discountId: 'new' }}
      leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
    >
      {words.create}
    </ButtonLink>
  ) : null

  const columns: readonly Column<Discount, Sort>[] = [
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
    {
      name: 'created',
      label: words.columns.created,
      sorts: ['-created', 'created'],
      size: 'medium',
      card: 'hidden',
      cell: ({ createdAt }) => <Day at={createdAt} />,
    },
  ]

  return (
    <>
      <PageHead
        title={words.title}
        actions={
          <>
            <ApiCallButton
              calls={{
                [words.calls.list]: apiCall('listDiscounts', discountsQueryOf(search)),
                [words.calls.create]: createCall,
              }}
            />
            {create}
          </>
        }
      />
      <BillingTable
        words={words}
        search={search}
        sorts={words.sorts}
        query={(asked) => {
          const query = discountsQueryOf(asked)
          return listQuery(['discounts', query], (options) => billing.listDiscounts(query, options))
        }}
        columns={columns}
        keyOf={({ id }) => id}
        needs="discount:read"
        action={create}
        curl={curlOf(location.origin, createCall)}
      />
    </>
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
