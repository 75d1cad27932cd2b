import { useQuery } from '@tanstack/react-query'
import { waitsForAnswer } from '@tollgate/contract/billing'
import type { BillingAnswer, WebhookEndpoint } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { listQuery, taxSettingsQuery } from './billing.ts'

type Dispute = BillingAnswer<'listDisputes'>['items'][number]

/** The minimum interval between reads in milliseconds: several parts of a page use the answer. */
const staleTime = 60_000

/** Whether a bank has yet to decide; until then no processor gives money back. Of what it only asks about, one may. */
export const isOpen = ({ status }: Pick<Dispute, 'status'>): boolean =>
  status === 'needs_response' || status === 'under_review'

/** Whether a dispute needs attention: it is open, or an inquiry with a deadline. */
export const isOfInterest = (dispute: Pick<Dispute, 'status' | 'evidenceDueBy'>): boolean =>
  isOpen(dispute) || waitsForAnswer(dispute)

const open: { status: Dispute['status'][]; limit: number } = {
  status: ['early_warning', 'needs_response', 'under_review'],
  limit: 100,
}

/**
 * The disputes that need attention among the newest hundred undecided ones, for members who may read them; undefined
 * until loaded.
 */
export function useOpenDisputes(): readonly Dispute[] | undefined {
  const { billing, may } = useSeller()
  const { data, isLoading } = useQuery({
    ...listQuery(['disputes', open], (options) => billing.listDisputes(open, options)),
    enabled: may('order', 'read'),
    staleTime,
  })
  return isLoading ? undefined : (data?.items.filter(isOfInterest) ?? [])
}

/** The endpoint rejects deliveries, or was disabled because of that. */
const isBroken = ({ enabled, disabledReason, failingSince }: WebhookEndpoint): boolean =>
  enabled ? failingSince !== null : disabledReason !== 'by_hand'

/** Above the maximum of an organization. */
const all = { limit: 100 }

/** Endpoints that need attention, for members who may read them; undefined until loaded. */
export function useBrokenEndpoints(): readonly WebhookEndpoint[] | undefined {
  const { billing, may } = useSeller()
  const { data, isLoading } = useQuery({
    ...listQuery(['webhooks', all], (options) => billing.listWebhookEndpoints(all, options)),
    enabled: may('webhook', 'read'),
    staleTime,
  })
  return isLoading ? undefined : (data?.items.filter(isBroken) ?? [])
}

/** The seller's legal identity, for members who may change it. */
export function useTaxSettings() {
  const { billing, organization, may } = useSeller()
  return useQuery({
    ...taxSettingsQuery(billing, organization.id),
    enabled: may('organization', 'update'),
    staleTime,
  })
}
