import type { Tx } from '../../db/database.ts'
import { emit, type OrganizationEventType } from '../../outbox.ts'
import type { EndpointRow } from './webhook-endpoint.repository.ts'

export type EndpointEvent = Extract<OrganizationEventType, `webhook_endpoint.${string}`>

/**
 * Notes in the organization's audit log what became of an endpoint; nobody is the actor of what the server has decided. Of its
 * address the host alone is told: the rest may be a secret of its receiver.
 */
export async function tellEndpoint(
  tx: Tx,
  now: Date,
  type: EndpointEvent,
  { id, organizationId, name, url, coversInstallation, disabledReason }: EndpointRow,
  actorId: string | null,
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
