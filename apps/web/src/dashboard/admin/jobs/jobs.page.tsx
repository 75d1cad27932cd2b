import { Button, NativeSelect } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import { useDashboard } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { keepRowFocus } from '../../parts/focus-return.ts'
import { List } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago, Moment } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { deadJobsQuery } from '../../queries/jobs.ts'
import { useListAddress } from '../../use-place.ts'
import { jobs as words } from '../texts.ts'
import { jobsQueryOf } from './jobs.search.ts'

const route = getRouteApi('/admin/jobs')
const kindFieldId = 'kind'

type Jobs = Answer<'adminListDeadJobs'>
type DeadJob = Jobs['jobs'][number]
type Subject = NonNullable<DeadJob['subject']>

/** A job kind in words; an unknown kind shows its name. */
const kindText = (kind: string): string => words.kinds[kind] ?? kind

/** Dead jobs, to inspect, retry or remove. */
export function JobsPage() {
  const { client } = useDashboard()
  const search = route.useSearch()
  const { place, show, goTo } = useListAddress(search)
  const query = useQuery(deadJobsQuery(client, jobsQueryOf(search)))
  const { data } = query
  const { kind } = search
  return (
    <>
      <PageHead
        title={words.title}
        text={words.text}
        actions={
          kind !== undefined && data?.counts.some((each) => each.kind === kind) ? <RetryAll kind={kind} /> : null
        }
      />
      {data && data.failing.length > 0 ? <Failing jobs={data.failing} /> : null}
      <search className="filters">
        <NativeSelect
          id={kindFieldId}
          aria-label={words.kind}
          value={kind ?? ''}
          onChange={(event) => show({ kind: event.currentTarget.value || undefined })}
          data={[{ value: '', label: words.every }, ...kindOptions(data?.counts ?? [], kind)]}
        />
      </search>
      <List
        query={query}
        list={
          data && { items: data.jobs, nextCursor: data.nextCursor, shown: words.shown(place.page, data.jobs.length) }
        }
        place={place}
        onGo={goTo}
        loading={words.loading}
        isNarrowed={kind !== undefined}
        onClear={() => {
          document.getElementById(kindFieldId)?.focus()
          void show({ kind: undefined })
        }}
        noMatch={words.noMatch}
        none={<Empty {...words.none} />}
      >
        {(jobs) => <JobTable jobs={jobs} busy={query.isPlaceholderData} />}
      </List>
    </>
  )
}

/** The kinds of dead jobs, and the selected one. */
function kindOptions(counts: Jobs['counts'], chosen: string | undefined) {
  const known = counts.map(({ kind, count }) => ({ value: kind, label: words.option(kindText(kind), count) }))
  if (chosen === undefined || known.some(({ value }) => value === chosen)) return known
  return [...known, { value: chosen, label: words.option(kindText(chosen), 0) }]
}

function JobTable({ jobs, busy }: { jobs: readonly DeadJob[]; busy: boolean }) {
  const [removed, setRemoved] = useState<DeadJob>()
  const { columns } = words
  return (
    <>
      <Table
        label={words.table}
        busy={busy}
        className="billing jobs"
        items={jobs}
        columns={[
          { name: 'kind', label: columns.kind, size: 'large', card: 'wide', cell: (job) => <What job={job} /> },
          { name: 'error', label: columns.error, card: 'wide', cell: ({ error }) => error ?? words.noError },
          {
            name: 'dead',
            label: columns.dead,
            size: 'medium',
            card: 'wide',
            cell: ({ deadAt, attempts }) => (
              <>
                <Ago at={deadAt} />
                <span className="quiet block">{words.attempts(attempts)}</span>
              </>
            ),
          },
          {
            name: 'actions',
            label: columns.actions,
            size: 'large',
            card: 'wide',
            cell: (job) => <JobActions job={job} onRemove={() => setRemoved(job)} />,
          },
        ]}
      />
      <RemovalDialog job={removed} onClose={() => setRemoved(undefined)} />
    </>
  )
}

/** A job's kind, its object, and that object's owner. */
function What({ job: { kind, subject } }: { job: Pick<DeadJob, 'kind' | 'subject'> }) {
  const organization = subject?.organization
  return (
    <>
      {kindText(kind)}
      {subject ? <SubjectText subject={subject} /> : null}
      {organization ? (
        <span className="quiet block">
          {words.of}{' '}
          <Link to="/admin/organizations/$organizationId" params={{ organizationId: organization.id }} className="link">
            {organization.name}
          </Link>
        </span>
      ) : null}
    </>
  )
}

function SubjectText({ subject: { type, id, recipient } }: { subject: Subject }) {
  if (type === 'mail') {
    return (
      <span className="quiet block">
        {words.mails[id] ?? id}
        {recipient === null ? null : <span className="block">{words.subjects.mail(recipient)}</span>}
      </span>
    )
  }
  return (
    <span className="quiet block">
      {words.subjects[type]} <code>{id}</code>
    </span>
  )
}

/** Jobs that keep failing and will be retried: an administrator may have to act. */
function Failing({ jobs }: { jobs: Jobs['failing'] }) {
  return (
    <Panel title={words.failing.title} count={jobs.length}>
      <ul className="rows">
        {jobs.map(({ id, error, createdAt, nextAt, ...job }) => (
          <li key={id}>
            <span className="grow">
              <What job={job} />
              <span className="quiet block">{error ?? words.noError}</span>
            </span>
            <span className="quiet">
              <Ago at={createdAt} />
              <span className="block">
                {words.failing.next}: <Moment at={nextAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function JobActions({ job, onRemove }: { job: DeadJob; onRemove: () => void }) {
  const { client } = useDashboard()
  const kind = kindText(job.kind)
  const retry = useAction(async () => {
    await answerOf(client.adminRetryJob({ jobId: job.id }))
    return words.retried
  })
  return (
    <div className="actions" data-row-actions="">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={words.retryNamed(kind)}
        aria-disabled={retry.isPending || undefined}
        onClick={() => {
          if (retry.isPending) return
          keepRowFocus()
          retry.mutate()
        }}
      >
        {words.retry}
      </Button>
      <Button variant="default" size="compact-sm" aria-label={words.remove.named(kind)} onClick={onRemove}>
        {words.remove.button}
      </Button>
    </div>
  )
}

function RetryAll({ kind }: { kind: string }) {
  const { client } = useDashboard()
  const retry = useAction(async () => {
    const { count } = await answerOf(client.adminRetryJobs({ kind }))
    return words.retriedAll(count)
  })
  return (
    <Button aria-disabled={retry.isPending || undefined} onClick={() => !retry.isPending && retry.mutate()}>
      {words.retryAll(kindText(kind))}
    </Button>
  )
}

/** Runs an action, announces its outcome, and refreshes all lists that may show it. */
function useAction(run: () => Promise<string>) {
  const { queries } = useDashboard()
  return useMutation({
    mutationFn: run,
    onSuccess: (message) => void notifications.show({ message }),
    onError: (error) => void notifications.show({ message: error.message, color: 'red' }),
    // After a refusal too: another administrator may have been faster.
    onSettled: () => queries.invalidateQueries(),
  })
}

function RemovalDialog({ job, onClose }: { job: DeadJob | undefined; onClose: () => void }) {
  const { client } = useDashboard()
  const { remove } = words
  return (
    <ActionDialog
      opened={job !== undefined}
      onClose={onClose}
      title={remove.title(job ? kindText(job.kind) : '')}
      text={remove.text}
      submit={remove.button}
      danger
      run={async () => {
        if (job) await answerOf(client.adminRemoveJob({ jobId: job.id }))
        return remove.done
      }}
    />
  )
}
