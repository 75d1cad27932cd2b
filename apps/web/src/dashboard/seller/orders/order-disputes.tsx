import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import type { Dispute } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { Copyable } from '../../parts/copy.tsx'
import { disputeReasonText } from '../../parts/dispute-reason.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Moment, momentText } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { isOfInterest, isOpen } from '../../queries/attention.ts'
import { listQuery } from '../../queries/billing.ts'
import { refundsWords } from '../refunds/refunds.texts.ts'

const words = refundsWords.disputes

/** The disputes of an order; most have none. */
export function disputesOf(billing: BillingClient, orderId: string) {
  const query = { orderId: [orderId], limit: 10 }
  return listQuery(['disputes', query], (options) => billing.listDisputes(query, options))
}

const useDisputes = (orderId: string) => useQuery(disputesOf(useSeller().billing, orderId)).data

/** The dispute of an order that its bank has not decided yet. */
export const useOpenDispute = (orderId: string): Dispute | undefined => useDisputes(orderId)?.items.find(isOpen)

/** Above everything else: that the money is at stake, and until when something can be done about it. */
export function DisputeBanner({ orderId }: { orderId: string }) {
  const disputes = useDisputes(orderId)?.items ?? []
  const dispute = disputes.find(isOpen) ?? disputes.find(isOfInterest)
  if (!dispute) return null
  return (
    <div className="notice" data-tone={dispute.status === 'needs_response' ? 'danger' : 'warn'} role="status">
      {bannerText(dispute)}
    </div>
  )
}

function bannerText({ status, evidenceDueBy }: Dispute): string {
  if (status === 'under_review') return words.review
  const until = evidenceDueBy ? momentText(evidenceDueBy) : undefined
  return status === 'early_warning' ? words.inquiry(until) : words.banner(until)
}

/** What the buyer of an order disputes; where there is nothing, there is no panel. */
export function DisputesPanel({ orderId }: { orderId: string }) {
  const { sandbox, may } = useSeller()
  const data = useDisputes(orderId)
  if (!data || data.items.length === 0) return null
  const isUndecided = data.items.some(({ resolved }) => !resolved)
  return (
    <Panel title={words.title} count={data.pagination.totalCount}>
      <p className="quiet panel-note">{sandbox && isUndecided ? words.sandbox : words.answer}</p>
      <ul className="rows">
        {data.items.map((dispute) => (
          <DisputeLine
            key={dispute.id}
            dispute={dispute}
            mayDecide={sandbox && !dispute.resolved && may('order', 'write')}
          />
        ))}
      </ul>
    </Panel>
  )
}

function DisputeLine({ dispute, mayDecide }: { dispute: Dispute; mayDecide: boolean }) {
  const { amount, taxAmount, currency, status, reason, caseId, evidenceDueBy, pastDue, createdAt } = dispute
  return (
    <li>
      <span className="grow">
        <Money amount={amount + taxAmount} currency={currency} />
        <span className="quiet block">
          {reason ? `${disputeReasonText(reason)} · ` : null}
          <Moment at={createdAt} />
        </span>
        {evidenceDueBy && !dispute.resolved ? (
          <span className="quiet block">
            {words.columns.due} <Moment at={evidenceDueBy} />
            {pastDue ? ` (${words.pastDue})` : null}
          </span>
        ) : null}
        {caseId ? (
          <span className="quiet block">
            {words.case} <Copyable text={caseId} what={words.case} />
          </span>
        ) : null}
        {mayDecide ? <Decision disputeId={dispute.id} /> : null}
      </span>
      <Status value={status} />
    </li>
  )
}

/** In place of the bank, which the sandbox does not have. */
function Decision({ disputeId }: { disputeId: string }) {
  const { billing, queries } = useSeller()
  const decide = useMutation({
    mutationFn: (outcome: 'won' | 'lost') => answerOf(billing.decideSandboxDispute({ id: disputeId, outcome })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['billing'] }),
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
  return (
    <span className="actions">
      {(['won', 'lost'] as const).map((outcome) => (
        <Button
          key={outcome}
          variant="default"
          size="compact-sm"
          aria-disabled={decide.isPending || undefined}
          onClick={() => !decide.isPending && decide.mutate(outcome)}
        >
          {words.decide[outcome]}
        </Button>
      ))}
    </span>
  )
}
