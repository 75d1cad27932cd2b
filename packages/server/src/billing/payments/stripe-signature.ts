import { createHmac, timingSafeEqual } from 'node:crypto'
import { seconds } from '../../clock.ts'

/** Most signatures of one header that are looked at: Stripe sends two while a secret is rolled. */
const signatureLimit = 16

/**
 * Whether Stripe has signed a body with a secret, not longer ago and not further ahead than the tolerance. The header is
 * `t=<seconds>,v1=<hex>,…`; signed is `<seconds>.<body>` by HMAC-SHA256 (docs.stripe.com/webhooks, "Verify manually").
 * Signatures of other schemes, such as v0 of test events, count for nothing; comparing takes the same time for all.
 */
export function isSignedByStripe(
  body: Uint8Array,
  header: string,
  { secret, now, toleranceSeconds }: { secret: string; now: Date; toleranceSeconds: number },
): boolean {
  const parts = header.split(',').map((part) => part.trim())
  const times = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2))
  const [time = ''] = times
  if (secret === '' || times.length !== 1 || !/^\d{1,12}$/.test(time)) return false
  if (Math.abs(now.getTime() - seconds(Number(time))) > seconds(toleranceSeconds)) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  return parts
    .filter((part) => part.startsWith('v1='))
    .slice(0, signatureLimit)
    .map((part) => Buffer.from(part.slice(3), 'hex'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
