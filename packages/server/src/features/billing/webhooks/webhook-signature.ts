import { createHmac } from 'node:crypto'
import { randomKey } from '../../../foundation/ids.ts'

/** A fresh secret in the form of Standard Webhooks: 32 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomKey(32).toString('base64')}`

/** The masked secret for readers without the right to see it. */
export const lastOf = (secret: string): string => `whsec_…${secret.slice(-4)}`

/**
 * The signatures of a message, separated by spaces (WH-2, WH-12). Each secret gives two: one by its bytes, as Standard
 * Webhooks defines it, and one by its text, which older clients of the matching SDK verify.
 * @param timestamp Unix time in seconds, as in the header.
 */
export function signaturesOf(secrets: readonly string[], id: string, timestamp: string, body: Buffer): string {
  return secrets
    .flatMap((secret) => [Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), Buffer.from(secret, 'utf8')])
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`)
    .join(' ')
}
