import { useQuery } from '@tanstack/react-query'
import { waitsForAnswer } from '@tollgate/contract/billing'
import type { BillingAnswer, WebhookEndpoint } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { listQuery, taxSettingsQuery } from './billing.ts'

type Dispute = BillingAnswer<'listDisputes'>['items'][number]

/** Asked again at most so often, in milliseconds: several parts of a page want to know. */
const staleTime = 60_000

/** Whether a bank has yet to decide; until then no processor gives money back. Of what it only asks about, one may. */
export const isOpen = ({ status }: Pick<Dispute, 'status'>): boolean =>
  status === 'needs_response' || status === 'under_review'

/** Whether somebody has to know of a dispute: it is open, or a bank asks and names a day. */
export const isOfInterest = (dispute: Pick<Dispute, 'status' | 'evidenceDueBy'>): boolean =>
  isOpen(dispute) || waitsForAnswer(dispute)

const open: { status: Dispute['status'][]; limit: number } = {
  status: ['early_warning', 'needs_response', 'under_review'],
  limit: 100,
}

/** Of the newest hundred disputes that no bank has decided those of interest, for whoever may see them; nothing until they are known. */
export function useOpenDisputes(): readonly Dispute[] | undefined {
  const { billing, may } = useSeller()
  const { data, isLoading } = useQuery({
    ...listQuery(['disputes', open], (options) => billing.listDisputes(open, options)),
    enabled: may('order', 'read'),
    staleTime,
  })
  return isLoading ? undefined : (data?.items.filter(isOfInterest) ?? [])
}

/** The endpoint does not take what it is sent, or was switched off because of that. */
const isBroken = ({ enabled, disabledReason, failingSince }: WebhookEndpoint): boolean =>
  enabled ? failingSince !== null : disabledReason !== 'by_hand'

/** More than an organization can have. */
const all = { limit: 100 }

/** Endpoints that somebody has to look at, for whoever may see them; nothing until they are known. */
export function useBrokenEndpoints(): readonly WebhookEndpoint[] | undefined {
  const { billing, may } = useSeller()
  const { data, isLoading } = useQuery({
    ...listQuery(['webhooks', all], (options) => billing.listWebhookEndpoints(all, options)),
    enabled: may('webhook', 'read'),
    staleTime,
  })
  return isLoading ? undefined : (data?.items.filter(isBroken) ?? [])
}

/** Who the seller is on invoices, for whoever may say it. */
export function useTaxSettings() {
  const { billing, organization, may } = useSeller()
  return useQuery({
    ...taxSettingsQuery(billing, organization.id),
    enabled: may('organization', 'update'),
    staleTime,
  })
}
