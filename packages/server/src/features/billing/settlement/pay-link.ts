import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'

/** What a pay link is for: a posted order, a change of a subscription, or another card for a subscription. */
export type PaySubject =
  | { readonly kind: 'order'; readonly id: Id<'order'> }
  | { readonly kind: 'change'; readonly id: Id<'subscriptionChange'> }
  | { readonly kind: 'card'; readonly id: Id<'subscription'> }

/** A link lasts as long as the retries of a failed renewal do (SUB-13), and some days more. */
const linkLife = days(30)

const purpose = 'pay link'

type Stored = readonly [kind: PaySubject['kind'], id: string, expiresAt: number]

export type PayLink = { readonly token: string; readonly url: string; readonly expiresAt: Date }

/**
 * Makes a link that its holder can pay with. It is sealed, so nothing needs to be stored. What is due on a later day can be
 * paid with it until long after that day.
 */
export function payLinkTo(
  { config, secrets, clock }: Pick<Context, 'config' | 'secrets' | 'clock'>,
  { kind, id }: PaySubject,
  dueAt: Date | null = null,
): PayLink {
  // What is overdue is sent at present, and its link counts from there.
  const now = clock.present()
  const expiresAt = after(dueAt && dueAt > now ? dueAt : now, linkLife)
  const token = secrets.seal(JSON.stringify([kind, id, expiresAt.getTime()] satisfies Stored), purpose)
  return { token, url: `${config.baseURL.origin}/pay/${token}`, expiresAt }
}

/** What a token is for; undefined for one that this server has not made, or that has ended. */
export function subjectOf(
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  token: string,
): { readonly subject: PaySubject; readonly madeAt: Date; readonly expiresAt: Date } | undefined {
  try {
    const [kind, id, end]: Stored = JSON.parse(secrets.open(token, purpose)) // written by `payLinkTo`
    const expiresAt = new Date(end)
    return expiresAt > clock.now()
      ? { subject: { kind, id }, madeAt: after(expiresAt, -linkLife), expiresAt }
      : undefined
  } catch {
    return undefined
  }
}
