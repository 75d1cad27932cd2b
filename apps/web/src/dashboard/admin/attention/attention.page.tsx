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
import { Table } from '../../parts/table.tsx'
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
        items={entries}
        columns={[
          {
            name: 'amount',
            label: columns.amount,
            size: 'medium',
            card: 'wide',
            cell: (entry) => <Amount entry={entry} />,
          },
          { name: 'what', label: columns.what, size: 'large', card: 'wide', cell: (entry) => <What entry={entry} /> },
          {
            name: 'reference',
            label: columns.reference,
            card: 'wide',
            cell: ({ processorReference, processor }) => (
              <>
                <Copyable text={processorReference} what={columns.reference} />
                <span className="quiet block">{disputeWords.processors[processor] ?? processor}</span>
              </>
            ),
          },
          {
            name: 'created',
            label: columns.created,
            size: 'medium',
            card: 'wide',
            cardLabel: columns.created,
            cell: ({ createdAt }) => <Day at={createdAt} />,
          },
          {
            name: 'resolution',
            label: columns.resolution,
            size: 'large',
            card: 'wide',
            cell: (entry) =>
              entry.resolved ? (
                <Resolution resolved={entry.resolved} />
              ) : (
                <span data-row-actions="">
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={words.resolve.named(entry.processorReference)}
                    onClick={() => {
                      choose(entry)
                      setAsking(true)
                    }}
                  >
                    {words.resolve.button}
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {chosen ? <ResolveDialog entry={chosen} opened={isAsking} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function Amount({ entry: { amount, currency, expectedAmount, expectedCurrency, isTest } }: { entry: Entry }) {
  const isExpected = expectedAmount !== null && expectedCurrency !== null
  return (
    <>
      <Money amount={amount} currency={currency} />
      {isExpected ? (
        <span className="quiet block">{words.expected(moneyText(expectedAmount, expectedCurrency))}</span>
      ) : null}
      {isTest ? <span className="quiet block">{disputeWords.test}</span> : null}
    </>
  )
}

const What = ({ entry: { kind, detail, organization } }: { entry: Entry }) => (
  <>
    {words.kinds[kind]}
    {detail ? <span className="quiet block">{words.details[detail]}</span> : null}
    <span className={`quiet block ${styles.organization}`}>
      {organization ? (
        <Link to="/admin/organizations/$organizationId" params={{ organizationId: organization.id }} className="link">
          {organization.name}
        </Link>
      ) : (
        words.organizationGone
      )}
    </span>
  </>
)

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
