import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import { aboutMail } from '../mail/mail.jobs.ts'

export type JobSubject = NonNullable<Answer<'adminListDeadJobs'>['jobs'][number]['subject']>
export type SubjectType = JobSubject['type']

type Told = { readonly kind: string; readonly payload: string }
type About = Pick<JobSubject, 'type' | 'id'> & { readonly recipient?: string }

/**
 * What a job is about, as far as its payload says so and that may be told: which mail to whom, but nothing of what stands in it;
 * otherwise ids. Nothing where somebody asked for a mail to an address that may be nobody's, or the payload cannot be read.
 */
export function subjectOf(ctx: Context, job: Told): Omit<JobSubject, 'organization'> | null {
  try {
    const about = aboutJob(ctx, job)
    return about ? { recipient: null, ...about } : null
  } catch {
    // Sealed with a secret that is gone, or written by another version: the list says the rest of it all the same.
    return null
  }
}

function aboutJob(ctx: Context, { kind, payload }: Told): About | undefined {
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
      // To send, or to send again.
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

const fieldsOf = (payload: string) => JSON.parse(payload) as Readonly<Record<string, unknown>> // written by our own services

const named = (type: SubjectType, id: unknown): About | undefined => (typeof id === 'string' ? { type, id } : undefined)
