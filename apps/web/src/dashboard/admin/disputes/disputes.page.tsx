import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { orderName } from '@tollgate/contract/billing'
import type { Answer } from '@tollgate/contract/types'
import { useDashboard } from '../../context.ts'
import { firstPlace } from '../../paging.ts'
import { Copyable } from '../../parts/copy.tsx'
import { disputeReasonText } from '../../parts/dispute-reason.ts'
import { List } from '../../parts/list.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty } from '../../parts/states.tsx'
import { Dot, Status } from '../../parts/status.tsx'
import { Table, type TableColumn } from '../../parts/table.tsx'
import { Day } from '../../parts/time.tsx'
import { openDisputesQuery } from '../../queries/disputes.ts'
import { useListAddress } from '../../use-place.ts'
import { disputes as words } from '../texts.ts'
import { disputesQueryOf } from './disputes.search.ts'

const route = getRouteApi('/admin/disputes')

type OpenDispute = Answer<'adminListDisputes'>['disputes'][number]

/** Disputes that banks have not decided, of all organizations. The operator answers them in the processor's account. */
export function DisputesPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const { place, goTo } = useListAddress(search)
  const query = useQuery(openDisputesQuery(client, disputesQueryOf(search)))
  const { data } = query
  return (
    <>
      <PageHead title={words.title} text={words.text} />
      <List
        query={query}
        list={
          data && {
            items: data.disputes,
            nextCursor: data.nextCursor,
            shown: words.shown(place.page, data.disputes.length),
          }
        }
        place={place}
        onGo={goTo}
        loading={words.loading}
        isNarrowed={false}
        onClear={() => goTo(firstPlace)}
        noMatch={words.noMatch}
        none={<Empty {...words.none} />}
      >
        {(disputes) => (
          <Table
            label={words.table}
            busy={query.isPlaceholderData}
            className="billing"
            items={disputes}
            columns={columns}
          />
        )}
      </List>
    </>
  )
}

const { columns: labels } = words

const columns: readonly TableColumn<OpenDispute>[] = [
  {
    name: 'amount',
    label: labels.amount,
    size: 'medium',
    card: 'start',
    cell: ({ amount, currency, isTest }) => (
      <>
        <Money amount={amount} currency={currency} />
        {isTest ? <span className="quiet block">{words.test}</span> : null}
      </>
    ),
  },
  {
    name: 'status',
    label: labels.status,
    size: 'medium',
    card: 'end',
    cell: ({ status }) => <Status value={status} />,
  },
  {
    name: 'due',
    label: labels.due,
    size: 'medium',
    card: 'wide',
    cardLabel: labels.due,
    cell: (dispute) => <Due dispute={dispute} />,
  },
  {
    name: 'organization',
    label: labels.organization,
    card: 'wide',
    cell: ({ organization, order }) => (
      <>
        <Link to="/admin/organizations/$organizationId" params={{ organizationId: organization.id }} className="link">
          {organization.name}
        </Link>
        <span className="quiet block">{words.order(orderName(order))}</span>
      </>
    ),
  },
  {
    name: 'case',
    label: labels.case,
    card: 'wide',
    cell: ({ caseId, processor, reason }) => (
      <>
        <Copyable text={caseId} what={labels.case} />
        <span className="quiet block">
          {words.processors[processor] ?? processor}
          {reason ? ` · ${disputeReasonText(reason)}` : null}
        </span>
      </>
    ),
  },
  {
    name: 'created',
    label: labels.created,
    size: 'medium',
    card: 'wide',
    cardLabel: labels.created,
    cell: ({ createdAt }) => <Day at={createdAt} />,
  },
]

/** The deadline, if there is one. */
function Due({ dispute: { toAnswer, evidenceDueBy, pastDue } }: { dispute: OpenDispute }) {
  if (!toAnswer) return <span className="quiet">{words.nothingDue}</span>
  if (evidenceDueBy === null) return words.noDay
  return (
    <>
      <Day at={evidenceDueBy} />
      {pastDue ? (
        <span className="block">
          <Dot tone="danger">{words.pastDue}</Dot>
        </span>
      ) : null}
    </>
  )
}
