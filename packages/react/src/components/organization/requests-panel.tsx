import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import type { FormName } from '../../form-state.ts'
import { doneState, useForm } from '../../hooks/use-form.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { useTollgate } from '../../hooks/use-session.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { Panel } from '../section-frame.tsx'
import { RelativeTime } from '../time.tsx'
import type { SectionData } from './data.ts'
import { Person, type Report, sent, useCount, usePageOf } from './parts.tsx'

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
  const client = useTollgate()
  const texts = useMessages('organizationInvitations')
  const approves = name === 'join-approve'
  const form = useForm({
    name,
    state: undefined,
    fields: {},
    submit: async () => {
      const input = { requestId: request.id, organizationId: data.organization.id }
      const succeeded = () => {
        onAnswered(approves ? { members: 1 } : {})
        return doneState(approves ? 'join-approved' : 'join-denied')
      }
      return report(
        approves
          ? await sent(client.approveJoinRequest(input), [], succeeded)
          : await sent(client.denyJoinRequest(input), [], succeeded),
      )
    },
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
