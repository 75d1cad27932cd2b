import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { language } from '../language.ts'
import { moneyText } from '../parts/money.tsx'
import { number } from '../texts.ts'
import { overviewWords as words } from './overview.texts.ts'

export type Overview = BillingAnswer<'getOverview'>
export type Course = Overview['orders']
export type FigureKind = keyof typeof words.figures

/** A figure of the overview: one for each count, and one for the revenue in each currency. */
export type Figure = {
  /** In the address. */
  readonly key: string
  readonly kind: FigureKind
  readonly label: string
  readonly course: Course
  text(value: number): string
  /** Its unit on an axis. */
  short(value: number): string
}

const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })

/** The figures in the order of the page. Amounts of several currencies cannot be summed; each is a figure of its own. */
export function figuresOf(overview: Overview): Figure[] {
  const count = (kind: 'orders' | 'customers' | 'subscriptions'): Figure => ({
    key: kind,
    kind,
    label: words.figures[kind],
    course: overview[kind],
    text: number.format,
    short: compact.format,
  })
  const [only, other] = overview.revenue
  const revenue = overview.revenue.map(
    ({ currency, ...course }): Figure => ({
      key: `revenue-${currency}`,
      kind: 'revenue',
      label: only && other ? words.revenueIn(currency) : words.figures.revenue,
      course,
      text: (value) => moneyText(value, currency),
      short: (value) => moneyText(value, currency).replace(/\.0+$/, ''),
    }),
  )
  return [
    ...(revenue.length > 0 ? revenue : [noRevenue(overview)]),
    count('orders'),
    count('customers'),
    count('subscriptions'),
  ]
}

/** Without a sale there is no currency. */
const noRevenue = ({ periods }: Overview): Figure => ({
  key: 'revenue',
  kind: 'revenue',
  label: words.figures.revenue,
  course: { total: 0, before: 0, values: periods.map(() => 0) },
  text: number.format,
  short: compact.format,
})
