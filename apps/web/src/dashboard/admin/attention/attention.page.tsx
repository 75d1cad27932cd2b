import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import { useDashboard } from '../../context.ts'
import { Copyable } from '../../parts/copy.tsx'
import { List } from '../../parts/list.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty } from '../../parts/states.tsx'
import { Cell, HeadCell, Row, Table } from '../../parts/table.tsx'
import { Day } from '../../parts/time.tsx'
import { moneyToCheckQuery } from '../../queries/money-to-check.ts'
import { useListAddress } from '../../use-place.ts'
import { disputes as disputeWords, attention as words } from '../texts.ts'
import styles from './attention.module.css'
import { attentionKinds, attentionQueryOf, attentionSearchIn } from './attention.search.ts'
import { ResolveDialog } from './resolve.dialog.tsx'

const route = getRouteApi('/admin/attention')
const stateFieldId = 'state'

export type Entry = Answer<'adminListAttention'>['items'][number]

/** Money that a processor moved unlike any request, of all organizations. The operator settles it at the processor. */
export function AttentionPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const { place, show, goTo } = useListAddress(search)
  const query = useQuery(moneyToCheckQuery(client, attentionQueryOf(search)))
  const { data } = query
  const { state, kind } = search
  return (
    <>
      <PageHead title={words.title} text={words.text} />
      <search className="filters">
        <NativeSelect
          id={stateFieldId}
          aria-label={words.state}
          value={state ?? ''}
          onChange={(event) => show(attentionSearchIn({ kind, state: event.currentTarget.value }))}
          data={[
            { value: '', label: data ? words.openCount(data.open) : words.states.open },
            { value: 'resolved', label: words.states.resolved },
          ]}
        />
        <NativeSelect
          aria-label={words.kind}
          value={kind ?? ''}
          onChange={(event) => show({ kind: attentionSearchIn({ kind: event.currentTarget.value }).kind })}
          data={[
            { value: '', label: words.every },
            ...attentionKinds.map((value) => ({ value, label: words.kinds[value] })),
          ]}
        />
      </search>
      <List
        query={query}
        list={
          data && { items: data.items, nextCursor: data.nextCursor, shown: words.shown(place.page, data.items.length) }
        }
        place={place}
        onGo={goTo}
        loading={words.loading}
        isNarrowed={state !== undefined || kind !== undefined}
        onClear={() => {
          document.getElementById(stateFieldId)?.focus()
          void show({ state: undefined, kind: undefined })
        }}
        noMatch={words.noMatch}
        none={<Empty {...words.none} />}
      >
        {(entries) => <AttentionTable entries={entries} busy={query.isPlaceholderData} />}
      </List>
    </>
  )
}

function AttentionTable({ entries, busy }: { entries: readonly Entry[]; busy: boolean }) {
  const [chosen, choose] = useState<Entry>()
  const [isAsking, setAsking] = useState(false)
  const { columns } = words
  return (
    <>
      <Table
        label={words.table}
        busy={busy}
        className="billing jobs"
        head={
          <>
            <HeadCell name="amount" size="medium">
              {columns.amount}
            </HeadCell>
            <HeadCell name="what" size="large">
              {columns.what}
            </HeadCell>
            <HeadCell name="reference">{columns.reference}</HeadCell>
            <HeadCell name="created" size="medium">
              {columns.created}
            </HeadCell>
            <HeadCell name="resolution" size="large">
              {columns.resolution}
            </HeadCell>
          </>
        }
      >
        {entries.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            onResolve={() => {
              choose(entry)
              setAsking(true)
            }}
          />
        ))}
      </Table>
      {chosen ? <ResolveDialog entry={chosen} opened={isAsking} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function EntryRow({ entry, onResolve }: { entry: Entry; onResolve: () => void }) {
  const { columns } = words
  const { amount, currency, expectedAmount, expectedCurrency, isTest, kind, detail, organization, createdAt } = entry
  const isExpected = expectedAmount !== null && expectedCurrency !== null
  return (
    <Row>
      <Cell name="amount" size="medium" card="wide">
        <Money amount={amount} currency={currency} />
        {isExpected ? (
          <span className="quiet block">{words.expected(moneyText(expectedAmount, expectedCurrency))}</span>
        ) : null}
        {isTest ? <span className="quiet block">{disputeWords.test}</span> : null}
      </Cell>
      <Cell name="what" size="large" card="wide">
        {words.kinds[kind]}
        {detail ? <span className="quiet block">{words.details[detail]}</span> : null}
        <span className={`quiet block ${styles.organization}`}>
          {organization ? (
            <Link
              to="/admin/organizations/$organizationId"
              params={{ organizationId: organization.id }}
              className="link"
            >
              {organization.name}
            </Link>
          ) : (
            words.organizationGone
          )}
        </span>
      </Cell>
      <Cell name="reference" card="wide">
        <Copyable text={entry.processorReference} what={columns.reference} />
        <span className="quiet block">{disputeWords.processors[entry.processor] ?? entry.processor}</span>
      </Cell>
      <Cell name="created" size="medium" card="wide" cardLabel={columns.created}>
        <Day at={createdAt} />
      </Cell>
      <Cell name="resolution" size="large" card="wide">
        {entry.resolved ? (
          <Resolution resolved={entry.resolved} />
        ) : (
          <span data-row-actions="">
            <Button
              variant="default"
              size="compact-sm"
              aria-label={words.resolve.named(entry.processorReference)}
              onClick={onResolve}
            >
              {words.resolve.button}
            </Button>
          </span>
        )}
      </Cell>
    </Row>
  )
}

/** How an entry was settled, by whom and when. */
function Resolution({ resolved: { at, by, note } }: { resolved: NonNullable<Entry['resolved']> }) {
  return (
    <>
      {note}
      <span className="quiet block">
        <Day at={at} />
        {' · '}
        {by ? (
          <Link to="/admin/users/$userId" params={{ userId: by.id }} className="link">
            {by.name || by.email}
          </Link>
        ) : (
          words.resolverGone
        )}
      </span>
    </>
  )
}
