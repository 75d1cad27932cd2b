import { Link } from '@tanstack/react-router'
import { waitsForAnswer } from '@tollgate/contract/billing'
import { useSeller } from '../context.ts'
import { momentText } from '../parts/time.tsx'
import { useBrokenEndpoints, useOpenDisputes } from '../queries/attention.ts'
import { refundsWords } from '../seller/refunds/refunds.texts.ts'
import { overviewWords as words } from './overview.texts.ts'

/** Items that need attention: disputes with a deadline, and failing endpoints. */
export function Notices() {
  const { slug } = useSeller()
  const disputes = useOpenDisputes() ?? []
  const broken = useBrokenEndpoints() ?? []
  const due = disputes
    .flatMap((dispute) => (waitsForAnswer(dispute) && dispute.evidenceDueBy ? [dispute.evidenceDueBy] : []))
    .toSorted()[0]
  const { disputes: disputeWords } = refundsWords
  return (
    <>
      {disputes.length > 0 ? (
        <div className="notice" data-tone="danger" role="status">
          <span>
            {disputeWords.notice(disputes.length)} {due ? disputeWords.noticeDue(momentText(due)) : null}
          </span>
          <Link to="/dashboard/$slug/refunds/disputes" params={{ slug }} className="link">
            {disputeWords.show}
          </Link>
        </div>
      ) : null}
      {broken.map((endpoint) => (
        <div key={endpoint.id} className="notice" data-tone={endpoint.enabled ? 'warn' : 'danger'} role="status">
          <span>{(endpoint.enabled ? words.endpoint.failing : words.endpoint.off)(endpoint.name || endpoint.url)}</span>
          <Link
            to="/dashboard/$slug/webhooks/$endpointId"
            params={{ slug, endpointId: endpoint.id }}
            className="link"
            aria-label={words.endpoint.showNamed(endpoint.name || endpoint.url)}
          >
            {words.endpoint.show}
          </Link>
        </div>
      ))}
    </>
  )
}
