import { language } from '../language.ts'

/** How a figure compares with the one before. */
export type Change = { readonly direction: 'up' | 'down' | 'same'; readonly percent: string | undefined }

const percent = new Intl.NumberFormat(language, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})
const small = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })

/** Beyond ten times as much, a percentage says less than the two values. */
const most = 9.99

/** A growth from nothing has no percentage. */
export function changeOf(total: number, before: number): Change {
  const direction = total > before ? 'up' : total < before ? 'down' : 'same'
  if (before <= 0) return { direction, percent: total === before ? percent.format(0) : undefined }
  const share = (total - before) / before
  if (share > most) return { direction, percent: undefined }
  return { direction, percent: (Math.abs(share) < 0.1 ? small : percent).format(share) }
}
