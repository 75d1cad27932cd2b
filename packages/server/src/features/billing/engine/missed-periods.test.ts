import { expect, test } from 'vitest'
import { missedPeriods, type Standing } from './missed-periods.ts'

const at = (text: string) => new Date(`${text}T12:00:00Z`)

const monthly = (given: Partial<Standing> = {}): Standing => ({
  cycle: { interval: 'month', count: 1 },
  anchorDay: 31,
  periodEnd: at('2026-01-31'),
  amount: 1000,
  discount: null,
  ...given,
})
const discount = (duration: string, durationInMonths: number | null = null) => ({
  duration,
  durationInMonths,
  appliedAt: at('2025-12-31'),
  on: (base: number) => base / 4,
})

test.each<[string, Standing, string, [number, number, string, string]]>([
  ['not reached', monthly(), '2026-01-30', [0, 0, '2026-01-31', '2026-01-31']],
  ['just reached', monthly(), '2026-01-31', [1, 1000, '2026-01-31', '2026-02-28']],
  ['three months on', monthly(), '2026-04-15', [3, 3000, '2026-03-31', '2026-04-30']],
  [
    'a year on',
    monthly({ cycle: { interval: 'year', count: 1 } }),
    '2027-03-01',
    [2, 2000, '2027-01-31', '2028-01-31'],
  ],
  ['a discount once', monthly({ discount: discount('once') }), '2026-04-15', [3, 3000, '2026-03-31', '2026-04-30']],
  ['… forever', monthly({ discount: discount('forever') }), '2026-04-15', [3, 2250, '2026-03-31', '2026-04-30']],
  [
    '… for three months',
    monthly({ discount: discount('repeating', 3) }),
    '2026-04-15',
    [3, 2500, '2026-03-31', '2026-04-30'],
  ],
  [
    '… for one month',
    monthly({ discount: discount('repeating', 1) }),
    '2026-04-15',
    [3, 3000, '2026-03-31', '2026-04-30'],
  ],
])('a period whose end is %s', (_, standing, now, [periods, amount, start, end]) => {
  expect(missedPeriods(standing, at(now))).toEqual({ periods, amount, start: at(start), end: at(end) })
})
