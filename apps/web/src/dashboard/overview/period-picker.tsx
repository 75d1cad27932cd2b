import { Button, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSeller } from '../context.ts'
import { addDays, type DayRange, dayIn, dayOf, rangeText } from '../days.ts'
import type { OverviewSearch, Period } from './overview.search.ts'
import { overviewWords } from './overview.texts.ts'
import styles from './period-picker.module.css'

const words = overviewWords.period
/** In the order of their length. */
const shown: readonly Period[] = ['7d', '30d', '90d', '12m']
const mostDays = 1826

type Props = { search: OverviewSearch; days: DayRange }
type PickerProps = Props & {
  /** What the days are, and what they are compared with. */
  children: ReactNode
}

/** Which days the figures count: links for the usual periods, and two fields for an own range. */
export function PeriodPicker({ search, days, children }: PickerProps) {
  const { slug } = useSeller()
  const [isOpen, setOpen] = useState(search.range !== undefined)
  const isOwn = search.range !== undefined
  return (
    <div className={styles.period}>
      <nav aria-label={words.label} className={styles.choices}>
        {shown.map((each) => (
          <Link
            key={each}
            to="/dashboard/$slug"
            params={{ slug }}
            search={{ ...search, range: undefined, period: each === '30d' ? undefined : each }}
            replace
            resetScroll={false}
            // The router marks the current one, by the whole address.
            activeOptions={{ exact: true }}
            activeProps={{ className: '' }}
            onClick={() => setOpen(false)}
          >
            {words[each]}
          </Link>
        ))}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-current={isOwn ? 'true' : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {words.own}
        </button>
      </nav>
      <p className={`quiet ${styles.said}`} role="status">
        {children}
      </p>
      {isOpen ? <OwnRange key={rangeText(days)} search={search} days={days} /> : null}
    </div>
  )
}

function OwnRange({ search, days }: Props) {
  const { slug, now } = useSeller()
  const navigate = useNavigate()
  const [fault, setFault] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const [from, to] = [dayIn(values.get('from')), dayIn(values.get('to'))]
    if (!from || !to) return
    if (from > to) return setFault(words.order)
    if (addDays(from, mostDays) < to) return setFault(words.long)
    setFault(undefined)
    void navigate({
      to: '/dashboard/$slug',
      params: { slug },
      search: { ...search, period: undefined, range: rangeText({ from, to }) },
      replace: true,
      resetScroll: false,
    })
  }
  const field = { type: 'date', required: true, max: dayOf(now()) } as const
  return (
    <form className={styles.own} onSubmit={submit}>
      <TextInput {...field} name="from" label={words.from} defaultValue={days.from} error={fault} />
      <TextInput {...field} name="to" label={words.to} defaultValue={days.to} />
      <Button type="submit" variant="default">
        {words.show}
      </Button>
    </form>
  )
}
