import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import { aboutMail } from '../../foundation/mail/mail.jobs.ts'

export type JobSubject = NonNullable<Answer<'adminListDeadJobs'>['jobs'][number]['subject']>
export type SubjectType = JobSubject['type']

type JobText = { readonly kind: string; readonly payload: string }
type About = Pick<JobSubject, 'type' | 'id'> & { readonly recipient?: string }

/**
 * A safe summary of a job's payload: the mail template and recipient without the content, otherwise ids. Null for a
 * mail that a visitor requested, because the address may be unknown here, and for an unreadable payload.
 */
export function subjectOf(ctx: Context, job: JobText): Omit<JobSubject, 'organization'> | null {
  try {
    const about = aboutJob(ctx, job)
    return about ? { recipient: null, ...about } : null
  } catch {
    // The payload has a removed secret or another version's format; the list shows the rest.
    return null
  }
}

function aboutJob(ctx: Context, { kind, payload }: JobText): About | undefined {
  switch (kind) {
    case 'mail': {
      const { template, to } = aboutMail(ctx, payload)
      return { type: 'mail', id: template, recipient: to }
    }
    case 'join-by-domain':
      return { type: 'user', id: payload }
    case 'reconcile-payment':
      return { type: 'payment', id: payload }
    case 'reconcile-refund':
      return { type: 'refund', id: payload }
    case 'remove-file':
      return { type: 'file', id: payload }
    case 'rename-custom-field':
      return named('custom_field', fieldsOf(payload).customFieldId)
    case 'webhook-endpoint':
      // For a send or a resend.
      return named('webhook_endpoint', payload.startsWith('{') ? fieldsOf(payload).endpointId : payload)
    case 'processor-event': {
      const { paymentId, refundId, refundReference, disputeReference } = fieldsOf(payload)
      return (
        named('payment', paymentId) ??
        named('refund', refundId) ??
        named('processor_refund', refundReference) ??
        named('processor_dispute', disputeReference)
      )
    }
    default:
      return undefined
  }
}

const fieldsOf = (payload: string): Readonly<Record<string, unknown>> => JSON.parse(payload) // written by our own services

const named = (type: SubjectType, id: unknown): About | undefined => (typeof id === 'string' ? { type, id } : undefined)
