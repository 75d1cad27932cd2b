import type { Order } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import styles from './status.module.css'

export type Tone = 'ok' | 'warn' | 'danger' | 'plain'

/** A dot and a word; the word carries the meaning, the dot only helps to find it. */
export function Dot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.dot} data-tone={tone}>
      {children}
    </span>
  )
}

/** Status colors: red or yellow needs attention, green is fine. */
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
  void: 'plain',
  won: 'ok',
} as const satisfies Record<string, Tone>

export type BillingStatus = keyof typeof tones

/** The status of an order, payment, refund, dispute, checkout or subscription. */
export const Status = ({ value }: { value: BillingStatus }) => <Dot tone={tones[value]}>{texts.status[value]}</Dot>

/** What an order's status says to people: clients see a voided one as pending. */
export const statusOfOrder = ({ status, voidedAt }: Pick<Order, 'status' | 'voidedAt'>): BillingStatus =>
  voidedAt === null ? status : 'void'
