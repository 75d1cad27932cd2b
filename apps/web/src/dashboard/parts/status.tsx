import type { SessionUser } from '@tollgate/contract/types'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

export type Tone = 'ok' | 'warn' | 'danger' | 'plain'

/** A dot and a word; the word carries the meaning, the dot only helps to find it. */
export function Dot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="dot" data-tone={tone}>
      {children}
    </span>
  )
}

/** Whether a ban holds: one that has run out counts as none, though the row may still say so. */
export const isBanned = ({ banned, banExpires }: SessionUser, now: number): boolean =>
  banned && (banExpires === null || Date.parse(banExpires) > now)

/** The one thing about a user that matters most. */
export function UserStatus({ user, now }: { user: SessionUser; now: number }) {
  const { banned, verified, unverified } = texts.users.status
  if (isBanned(user, now)) return <Dot tone="danger">{banned}</Dot>
  return user.emailVerified ? <Dot tone="ok">{verified}</Dot> : <Dot tone="warn">{unverified}</Dot>
}

/** Of orders, payments, refunds, disputes, checkouts and subscriptions: what asks for attention is red or yellow, what is well green. */
const tones = {
  active: 'ok',
  canceled: 'plain',
  confirmed: 'warn',
  early_warning: 'warn',
  expired: 'plain',
  failed: 'danger',
  incomplete: 'warn',
  incomplete_expired: 'plain',
  lost: 'danger',
  needs_response: 'danger',
  open: 'plain',
  paid: 'ok',
  partially_refunded: 'warn',
  past_due: 'danger',
  pending: 'warn',
  prevented: 'ok',
  refunded: 'plain',
  succeeded: 'ok',
  trialing: 'ok',
  under_review: 'warn',
  unpaid: 'danger',
  won: 'ok',
} as const satisfies Record<string, Tone>

export type BillingStatus = keyof typeof tones

/** How an order, a payment, a refund, a dispute, a checkout or a subscription stands. */
export const Status = ({ value }: { value: BillingStatus }) => <Dot tone={tones[value]}>{texts.status[value]}</Dot>
