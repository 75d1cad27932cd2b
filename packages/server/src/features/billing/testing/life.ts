/**
 * An independent calculator of what a subscription must have billed: it lives through the days one by one, and adds up
 * what each of them costs. It shares no code with the engine. All that happens, happens a whole number of days after the
 * start.
 */

const day = 86_400_000
const dayAfter = (time: Date, count = 1) => new Date(time.getTime() + count * day)

/** A plan: its product, and what its period costs. */
export type Plan = { readonly id: string; readonly amount: number; readonly months: 1 | 12 }

export type Behavior = 'invoice' | 'prorate' | 'next_period' | 'reset'
export type Credit = 'none' | 'prorated' | 'full'
/** What becomes of a call. */
export type Outcome = 'done' | 'refused' | 'declined'

export type LifeOrder = {
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  readonly start: Date
  readonly end: Date
  readonly net: number
  readonly tax: number
  readonly total: number
  /** Negative where credit pays. */
  applied: number
  state: 'paid' | 'pending' | 'void'
  /** Without its tax. */
  refunded: number
  refundedTax: number
  /** What of it the card can still give back. */
  onCard: number
}

/** The end of a period: the first day in the month that it ends in which is the anchor, or the last day of that month. */
export function boundary(start: Date, anchor: number, months: number): Date {
  const month = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth()
  for (let time = dayAfter(start); ; time = dayAfter(time)) {
    if (month(time) !== month(start) + months) continue
    const isLast = month(dayAfter(time)) !== month(time)
    if (time.getUTCDate() === anchor || (isLast && time.getUTCDate() < anchor)) return time
  }
}

/** Half off, for the periods of so many months: one for `once`. */
export type HalfOff = { readonly months: number; readonly isOnce: boolean }

export type Beginning = {
  readonly plan: Plan
  readonly halfOff?: HalfOff | undefined
  readonly trialDays: number
  readonly taxPercent: number
}

export class Life {
  readonly orders: LifeOrder[] = []
  status: 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled'
  plan: Plan
  start: Date
  end: Date
  balance = 0
  hasGoodCard = true
  cancelAtEnd = false
  readonly #taxPercent: number
  #anchor: number
  #halfOff: HalfOff | undefined
  #halfSince: Date | undefined
  /** Whether the running period was billed at half. */
  #isHalf = false
  #pending: Plan | undefined
  #waiting: number[] = []
  #pausesAtEnd = false
  #resumesAt: Date | undefined
  #dueSince: Date | undefined
  #today: Date

  constructor(today: Date, { plan, halfOff, trialDays, taxPercent }: Beginning) {
    this.#today = today
    this.#taxPercent = taxPercent
    this.plan = plan
    this.start = today
    this.#halfOff = halfOff
    this.status = trialDays > 0 ? 'trialing' : 'active'
    this.end = trialDays > 0 ? dayAfter(today, trialDays) : boundary(today, today.getUTCDate(), plan.months)
    this.#anchor = this.end.getUTCDate()
    if (trialDays > 0) this.#post('subscription_create', 0)
    else {
      this.#anchor = today.getUTCDate()
      this.#discount(today)
      this.#post('subscription_create', this.#price(plan))
    }
  }

  /** Lives until a day: what falls due happens at its own time. */
  live(until: Date): void {
    for (let time = dayAfter(this.#today); time <= until; time = dayAfter(time)) {
      this.#today = time
      this.#liveToday()
    }
  }

  change(next: Plan, asked: Behavior | undefined): Outcome {
    if (this.status !== 'active' && this.status !== 'trialing') return 'refused'
    if (this.cancelAtEnd || this.#pausesAtEnd) return 'refused'
    const isLess = next.amount / next.months < this.plan.amount / this.plan.months
    const behavior = asked ?? (this.status === 'trialing' ? 'invoice' : isLess ? 'next_period' : 'prorate')
    if (behavior === 'next_period') {
      this.#pending = next
      return 'done'
    }
    if (this.status === 'trialing') return this.#switch(next)
    if (behavior === 'reset' || next.months !== this.plan.months) return this.#restart(next, behavior === 'reset')
    // The same plan is neither credited nor charged.
    const lines = next.id === this.plan.id ? [] : [-this.#rest(this.plan), this.#rest(next)]
    if (behavior === 'prorate') {
      this.#waiting.push(...lines)
      return this.#switch(next)
    }
    if (lines.length === 0) return this.#switch(next)
    if (this.#isDeclined(sum(lines))) return 'declined'
    this.#post('subscription_update', sum(lines))
    return this.#switch(next)
  }

  cancel(): Outcome {
    if (this.status === 'canceled' || this.cancelAtEnd) return 'refused'
    if (this.status === 'past_due' || this.status === 'paused') return this.#endNow()
    this.cancelAtEnd = true
    this.#pending = undefined
    this.#pausesAtEnd = false
    this.#resumesAt = undefined
    return 'done'
  }

  uncancel(): Outcome {
    if (this.status === 'canceled' || !this.cancelAtEnd) return 'refused'
    this.cancelAtEnd = false
    return 'done'
  }

  revoke(credit: Credit): Outcome {
    if (this.status === 'canceled') return 'refused'
    const back = this.#credit(credit)
    if (back > 0) this.#waiting.push(-back)
    return this.#endNow()
  }

  pause(at: 'now' | 'period_end', credit: Credit, resumesAt: Date | undefined): Outcome {
    if (this.status !== 'active' || this.cancelAtEnd || this.#pausesAtEnd || this.#pending) return 'refused'
    if (at === 'period_end') {
      if (credit !== 'none' || (resumesAt && resumesAt <= this.end)) return 'refused'
      this.#pausesAtEnd = true
    } else {
      const back = this.#credit(credit)
      if (back > 0) this.#post('subscription_update', -back)
      this.status = 'paused'
    }
    this.#resumesAt = resumesAt
    return 'done'
  }

  resume(): Outcome {
    if (this.status === 'paused') this.#resume()
    else if (this.status !== 'canceled' && this.#pausesAtEnd) {
      this.#pausesAtEnd = false
      this.#resumesAt = undefined
    } else return 'refused'
    return 'done'
  }

  /** Gives back a part of a paid order: its card's part first, then what credit paid (SUB-33). */
  refund(order: LifeOrder, net: number): void {
    const isRest = net === order.net - order.refunded
    const taxLeft = order.tax - order.refundedTax
    const tax = isRest ? taxLeft : Math.min(taxLeft, Math.round((net * order.tax) / order.net))
    const byCard = Math.min(net + tax, order.onCard)
    order.refunded += net
    order.refundedTax += tax
    order.onCard -= byCard
    this.balance += net + tax - byCard
  }

  /** The customer pays what is open by the link. */
  payByLink(): Outcome {
    if (this.status !== 'past_due') return 'refused'
    this.hasGoodCard = true
    this.#recover()
    return 'done'
  }

  #liveToday(): void {
    const today = this.#today
    if (this.status === 'past_due') this.#tryAgain()
    if ((this.status === 'active' || this.status === 'trialing') && this.end <= today) this.#endOfPeriod()
    if (this.status === 'paused' && this.#resumesAt && this.#resumesAt <= today) this.#resume()
  }

  #endOfPeriod(): void {
    if (this.cancelAtEnd) {
      this.status = 'canceled'
      this.#billWaiting()
    } else if (this.#pausesAtEnd) {
      this.status = 'paused'
      this.#pausesAtEnd = false
    } else {
      if (this.#pending) this.#switch(this.#pending)
      this.#begin(this.end, this.#anchor)
    }
  }

  #begin(start: Date, anchor: number): void {
    this.start = start
    this.#anchor = anchor
    this.end = boundary(start, anchor, this.plan.months)
    this.#discount(start)
    this.status = 'active'
    const order = this.#post('subscription_cycle', this.#price(this.plan) + sum(this.#takeWaiting()))
    if (order.state === 'pending' && !this.#charge(order)) {
      this.status = 'past_due'
      this.#dueSince = start
    }
  }

  #resume(): void {
    this.#resumesAt = undefined
    this.#begin(this.#today, this.#today.getUTCDate())
  }

  #tryAgain(): void {
    const since = Math.round((this.#today.getTime() - this.#dueSince!.getTime()) / day)
    if (![2, 7, 14, 21].includes(since)) return
    if (this.hasGoodCard) this.#recover()
    else if (since === 21) this.#endNow()
  }

  #recover(): void {
    for (const order of this.orders) if (order.state === 'pending') this.#pay(order)
    this.status = 'active'
  }

  #endNow(): Outcome {
    const wasDue = this.status === 'past_due'
    for (const order of this.orders)
      if (order.state === 'pending') {
        order.state = 'void'
        this.balance -= order.applied
        order.applied = 0
      }
    this.status = 'canceled'
    this.#pending = undefined
    // Of a subscription past due, nothing more is collected (SUB-19).
    if (wasDue) this.#waiting = []
    else this.#billWaiting()
    return 'done'
  }

  #billWaiting(): void {
    if (this.#waiting.length === 0) return
    const order = this.#post('subscription_cycle', sum(this.#takeWaiting()))
    if (order.state === 'pending') this.#charge(order)
  }

  #restart(next: Plan, isReset: boolean): Outcome {
    const isHalf = this.#holds(this.#today)
    const rest = isReset ? 0 : this.#rest(this.plan)
    const net = (isHalf ? half(next.amount) : next.amount) - rest + sum(this.#waiting)
    if (this.#isDeclined(net)) return 'declined'
    this.#takeWaiting()
    this.#discount(this.#today)
    this.#switch(next)
    this.start = this.#today
    this.#anchor = this.#today.getUTCDate()
    this.end = boundary(this.#today, this.#anchor, next.months)
    this.#post('subscription_update', net)
    return 'done'
  }

  #switch(next: Plan): Outcome {
    this.plan = next
    this.#pending = undefined
    return 'done'
  }

  /** The part of the running period that the customer gets back: never more than it has brought in (SUB-32). */
  #credit(credit: Credit): number {
    if (credit === 'none' || this.status !== 'active') return 0
    const running = this.orders.filter(
      ({ start, state }) => start.getTime() === this.start.getTime() && state === 'paid',
    )
    const most = sum(running.map(({ net, refunded }) => net - refunded)) + sum(this.#waiting)
    return Math.max(
      0,
      Math.min(most, this.#worth(this.#price(this.plan), credit === 'full' ? this.start : this.#today)),
    )
  }

  #price = ({ amount }: Plan) => (this.#isHalf ? half(amount) : amount)

  #rest = (plan: Plan) => this.#worth(this.#price(plan), this.#today)

  /** What the days of the running period from one on cost. */
  #worth(amount: number, from: Date): number {
    const days = Math.round((this.end.getTime() - this.start.getTime()) / day)
    let left = 0
    for (let time = from; time < this.end; time = dayAfter(time)) left += 1
    return Math.round((amount * left) / days)
  }

  #holds(start: Date): boolean {
    if (!this.#halfOff) return false
    if (!this.#halfSince || this.#halfOff.months === Number.POSITIVE_INFINITY) return true
    if (this.#halfOff.isOnce) return false
    if (this.#halfOff.months === 1) return start <= this.#halfSince
    return start <= boundary(this.#halfSince, this.#halfSince.getUTCDate(), this.#halfOff.months - 1)
  }

  #discount(start: Date): void {
    this.#isHalf = this.#holds(start)
    if (this.#isHalf) this.#halfSince ??= start
    else this.#halfOff = undefined
  }

  #takeWaiting(): number[] {
    const lines = this.#waiting
    this.#waiting = []
    return lines
  }

  #taxOn = (net: number) => Math.sign(net) * Math.round((Math.abs(net) * this.#taxPercent) / 100)

  #isDeclined = (net: number) => net + this.#taxOn(net) - Math.max(0, this.balance) > 0 && !this.hasGoodCard

  #post(reason: LifeOrder['reason'], net: number): LifeOrder {
    const tax = this.#taxOn(net)
    const total = net + tax
    const applied = total > 0 ? 0 - Math.min(Math.max(0, this.balance), total) : 0
    this.balance += total < 0 ? -total : applied
    const due = Math.max(0, total + applied)
    const isPending = due > 0 && reason === 'subscription_cycle'
    const order: LifeOrder = {
      reason,
      start: this.start,
      end: this.end,
      net,
      tax,
      total,
      applied,
      state: isPending ? 'pending' : 'paid',
      refunded: 0,
      refundedTax: 0,
      onCard: isPending ? 0 : due,
    }
    this.orders.push(order)
    return order
  }

  #charge(order: LifeOrder): boolean {
    if (this.hasGoodCard) this.#pay(order)
    return this.hasGoodCard
  }

  #pay(order: LifeOrder): void {
    order.state = 'paid'
    order.onCard = order.total + order.applied
  }
}

/** Half of an amount is taken off, rounded to the nearest, so that what is left is the smaller part. */
const half = (amount: number): number => amount - Math.round(amount / 2)

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
