import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import type { MailData } from '../../../foundation/mail/mail-data.ts'
import { listMembersWho } from '../../organization/entry.service.ts'
import { earlier, skipWaiting } from './missed.ts'
import { insertAttempts, type NewAttempt } from './webhook-attempt.repository.ts'
import { tellEndpoint } from './webhook-audit.ts'
import { type EndpointRow, lockAnyEndpoint, updateEndpointRow } from './webhook-endpoint.repository.ts'
import { type DueMessage, markDelivered, markFailed } from './webhook-message.repository.ts'
import { isHopeless } from './webhook-schedule.ts'

/** The result of one delivery attempt. */
export type Outcome = {
  readonly message: DueMessage
  readonly succeeded: boolean
  /** When the next attempt is; null after a success or the last attempt. */
  readonly nextAttemptAt: Date | null
  /** Until when the endpoint rests because of it; null if it does not. */
  readonly resumeAt: Date | null
  readonly httpCode: number | null
  readonly now: Date
  readonly attempt: Pick<NewAttempt, 'id' | 'requestHeaders' | 'response' | 'responseHeaders' | 'durationMs'>
}

/** An enabled endpoint with its organization. */
export type OpenEndpoint = EndpointRow & { readonly organizationSlug: string; readonly organizationName: string }

/** Writes the results of some attempts in one transaction; true if the endpoint is off afterwards. */
export async function writeOutcomes(
  ctx: Context,
  endpoint: OpenEndpoint,
  outcomes: readonly Outcome[],
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const locked = await lockAnyEndpoint(tx, endpoint.id)
    // Deleted meanwhile, with all its pending messages.
    if (!locked) return true
    await insertAttempts(
      tx,
      outcomes.map((outcome) => attemptRow(endpoint, outcome)),
    )
    for (const [httpCode, ids] of deliveredByCode(outcomes)) await markDelivered(tx, ids, httpCode, ctx.clock.now())
    for (const { message, succeeded, nextAttemptAt, httpCode, now } of outcomes)
      if (!succeeded) await markFailed(tx, message.id, { nextAttemptAt, httpCode, now })

    const health = healthAfter(locked, outcomes)
    const isGone = outcomes.some(({ httpCode }) => httpCode === 410)
    const now = ctx.clock.now()
    if (locked.enabled && (isGone || isHopeless(health, now))) {
      const reason = isGone ? 'gone' : 'failing'
      const disabled = await updateEndpointRow(tx, locked.id, {
        ...health,
        enabled: false,
        disabledReason: reason,
        modifiedAt: now,
      })
      await tellEndpoint(tx, now, 'webhook_endpoint.disabled', disabled, null)
      await skipWaiting(tx, disabled, now)
      await mailDisabled(ctx, tx, endpoint, { reason, failingSince: (health.failingSince ?? now).toISOString() })
      return true
    }
    const isChanged =
      health.failedEvents !== locked.failedEvents ||
      health.failingSince !== locked.failingSince ||
      health.missedSince !== locked.missedSince ||
      health.resumeAt !== locked.resumeAt
    if (isChanged) await updateEndpointRow(tx, locked.id, health)
    return !locked.enabled
  })
}

const attemptRow = (
  { id, organizationId, url, format }: OpenEndpoint,
  { message, succeeded, httpCode, now, attempt }: Outcome,
): NewAttempt => ({
  ...attempt,
  organizationId,
  endpointId: id,
  messageId: message.id,
  eventId: message.eventId,
  type: message.type,
  attempt: message.attempts + 1,
  url,
  format,
  succeeded,
  httpCode,
  createdAt: now,
})

/** Nearly always one code, so one statement. */
function deliveredByCode(outcomes: readonly Outcome[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const { message, succeeded, httpCode } of outcomes)
    if (succeeded && httpCode !== null) found.set(httpCode, [...(found.get(httpCode) ?? []), message.id])
  return found
}

type Health = Pick<EndpointRow, 'failingSince' | 'failedEvents' | 'missedSince' | 'resumeAt'>

const healthOf = ({ failingSince, failedEvents, missedSince, resumeAt }: Health): Health => ({
  failingSince,
  failedEvents,
  missedSince,
  resumeAt,
})

/**
 * An endpoint's health after some attempts. Each event counts as failed once, and a success resets the count. The
 * start of the missed events stays: only this record knows which events were given up.
 */
const healthAfter = (before: Health, outcomes: readonly Outcome[]): Health =>
  outcomes.reduce<Health>(
    (health, { succeeded, message, nextAttemptAt, resumeAt, now }) =>
      succeeded
        ? { failingSince: null, failedEvents: 0, missedSince: health.missedSince, resumeAt: health.resumeAt }
        : {
            failingSince: health.failingSince ?? now,
            failedEvents: health.failedEvents + (message.failures === 0 ? 1 : 0),
            missedSince: nextAttemptAt === null ? earlier(health.missedSince, message.happenedAt) : health.missedSince,
            resumeAt: resumeAt ?? health.resumeAt,
          },
    healthOf(before),
  )

/** Mails those who can fix it, in the language of the endpoint's creator (WH-7). */
async function mailDisabled(
  ctx: Context,
  tx: Tx,
  { organizationId, organizationSlug, ...endpoint }: OpenEndpoint,
  why: Pick<MailData['webhook-disabled'], 'reason' | 'failingSince'>,
): Promise<void> {
  const url = `${ctx.config.baseURL.origin}/dashboard/${organizationSlug}/webhooks/${endpoint.id}`
  const members = await listMembersWho(ctx, tx, organizationId, { webhook: ['write'] })
  for (const { name, email } of members)
    await enqueueMail(ctx, tx, {
      to: email,
      locale: endpoint.locale,
      template: 'webhook-disabled',
      data: {
        name,
        organizationName: endpoint.organizationName,
        url,
        endpointName: endpoint.name,
        endpointHost: new URL(endpoint.url).hostname,
        ...why,
      },
    })
}
