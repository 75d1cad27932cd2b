import { joinApprove, joinDeny } from '@tollgate/contract/forms'
import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import type { FormName } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { Panel } from '../section-frame.tsx'
import { RelativeTime } from '../time.tsx'
import type { SectionData } from './data.ts'
import { Person, type Report, useCount, usePageOf } from './parts.tsx'

type Data = SectionData<'invitations'>
type Request = Answer<'listJoinRequests'>[number]

/** Requests to join, for members who may answer them. */
export function RequestsPanel({
  data,
  requests: given,
  report,
}: {
  data: Data
  requests: readonly Request[]
  report: Report
}) {
  const texts = useMessages('organizationInvitations')
  const roleText = useRoleText()
  const t = useText()
  const [requests, setRequests] = useState(given)
  const [list, rowGone] = useRowFocus()
  const count = useCount()
  return (
    <Panel title={texts.requestsTitle}>
      {requests.length === 0 ? <p data-tg="hint">{texts.noRequests}</p> : null}
      <ul data-tg="rows" ref={list}>
        {requests.map((request, at) => {
          const onAnswered = (change: { members?: number }) => {
            count({ requests: -1, ...change })
            setRequests(requests.filter(({ id }) => id !== request.id))
            rowGone(at)
          }
          return (
            <li key={request.id} data-tg="entry">
              <Person {...request.user}>
                <span>
                  {roleText(request.role)} · {request.source === 'link' ? texts.byLink : texts.byDomain} ·{' '}
                  {t.rich(texts.asked, { when: <RelativeTime at={request.createdAt} now={data.now} /> })}
                </span>
              </Person>
              <div data-tg="row-actions">
                <AnswerForm name="join-approve" data={data} request={request} report={report} onAnswered={onAnswered} />
                <AnswerForm name="join-deny" data={data} request={request} report={report} onAnswered={onAnswered} />
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

function AnswerForm({
  name,
  data,
  request,
  report,
  onAnswered,
}: {
  name: Extract<FormName, 'join-approve' | 'join-deny'>
  data: Data
  request: Request
  report: Report
  onAnswered: (change: { members?: number }) => void
}) {
  const texts = useMessages('organizationInvitations')
  const approves = name === 'join-approve'
  const form = useFormOf<'approveJoinRequest' | 'denyJoinRequest'>(approves ? joinApprove : joinDeny, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: () => onAnswered(approves ? { members: 1 } : {}),
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('invitations')}>
      <Hidden form={form.name} requestId={request.id} />
      <Submit form={form} look="secondary" busyLabel={approves ? texts.approving : texts.denying}>
        <span>
          {approves ? texts.approve : texts.deny}{' '}
          <span data-tg="visually-hidden">{request.user.name || request.user.email}</span>
        </span>
      </Submit>
    </form>
  )
}
