import { createHmac, timingSafeEqual } from 'node:crypto'
import { seconds } from '../../../foundation/clock.ts'

/** The most signatures read from one header: Stripe sends two during a secret rotation. */
const signatureLimit = 16

/**
 * Whether Stripe signed a body with a secret, within the tolerance before or after now. The header is
 * `t=<seconds>,v1=<hex>,…`; the signed text is `<seconds>.<body>`, by HMAC-SHA256 (docs.stripe.com/webhooks, "Verify
 * manually"). Ignores other schemes, such as v0 of test events. Compares in constant time.
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
