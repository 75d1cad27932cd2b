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
import { Cell, HeadCell, Row, Table } from '../../parts/table.tsx'
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
        {(disputes) => <DisputeTable disputes={disputes} busy={query.isPlaceholderData} />}
      </List>
    </>
  )
}

function DisputeTable({ disputes, busy }: { disputes: readonly OpenDispute[]; busy: boolean }) {
  const { columns } = words
  return (
    <Table
      label={words.table}
      busy={busy}
      className="billing"
      head={
        <>
          <HeadCell name="amount" size="medium">
            {columns.amount}
          </HeadCell>
          <HeadCell name="status" size="medium">
            {columns.status}
          </HeadCell>
          <HeadCell name="due" size="medium">
            {columns.due}
          </HeadCell>
          <HeadCell name="organization">{columns.organization}</HeadCell>
          <HeadCell name="case">{columns.case}</HeadCell>
          <HeadCell name="created" size="medium">
            {columns.created}
          </HeadCell>
        </>
      }
    >
      {disputes.map((dispute) => (
        <DisputeRow key={dispute.id} dispute={dispute} />
      ))}
    </Table>
  )
}

function DisputeRow({ dispute }: { dispute: OpenDispute }) {
  const { amount, currency, isTest, status, reason, organization, order, processor, caseId, createdAt } = dispute
  const { columns } = words
  return (
    <Row>
      <Cell name="amount" size="medium" card="start">
        <Money amount={amount} currency={currency} />
        {isTest ? <span className="quiet block">{words.test}</span> : null}
      </Cell>
      <Cell name="status" size="medium" card="end">
        <Status value={status} />
      </Cell>
      <Cell name="due" size="medium" card="wide" cardLabel={columns.due}>
        <Due dispute={dispute} />
      </Cell>
      <Cell name="organization" card="wide">
        <Link to="/admin/organizations/$organizationId" params={{ organizationId: organization.id }} className="link">
          {organization.name}
        </Link>
        <span className="quiet block">{words.order(orderName(order))}</span>
      </Cell>
      <Cell name="case" card="wide">
        <Copyable text={caseId} what={columns.case} />
        <span className="quiet block">
          {words.processors[processor] ?? processor}
          {reason ? ` · ${disputeReasonText(reason)}` : null}
        </span>
      </Cell>
      <Cell name="created" size="medium" card="wide" cardLabel={columns.created}>
        <Day at={createdAt} />
      </Cell>
    </Row>
  )
}

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
