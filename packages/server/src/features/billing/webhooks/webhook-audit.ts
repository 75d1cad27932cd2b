import type { OrganizationEventType } from '@tollgate/contract/events'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { emit } from '../../../foundation/outbox.ts'
import type { EndpointRow } from './webhook-endpoint.repository.ts'

export type EndpointEvent = Extract<OrganizationEventType, `webhook_endpoint.${string}`>

/**
 * Records a change of an endpoint in the organization's audit log. The actor is null for a decision of the server. The
 * log has only the host of the URL, because the rest may be the receiver's secret.
 */
export async function tellEndpoint(
  tx: Tx,
  now: Date,
  type: EndpointEvent,
  { id, organizationId, name, url, coversInstallation, disabledReason }: EndpointRow,
  actorId: Id<'user'> | null,
): Promise<void> {
  await emit(tx, now, {
    type,
    actorId,
    userId: null,
    organizationId,
    data: {
      endpointId: id,
      name,
      host: new URL(url).host,
      coversInstallation,
      ...(type === 'webhook_endpoint.disabled' && { reason: disabledReason }),
    },
  })
}
