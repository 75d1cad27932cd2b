import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useDashboard } from '../context.ts'
import { addDays, type DayRange, dayIn, dayOf, rangeText } from '../days.ts'
import { texts } from '../texts.ts'
import styles from './date-filter.module.css'

const words = texts.list.created

/** Usual ranges of days up to today. */
const ranges = {
  today: (today: string): DayRange => ({ from: today, to: today }),
  week: (today: string): DayRange => ({ from: addDays(today, -6), to: today }),
  days30: (today: string): DayRange => ({ from: addDays(today, -29), to: today }),
  month: (today: string): DayRange => ({ from: firstOfMonth(today), to: today }),
  lastMonth: (today: string): DayRange => {
    const last = addDays(firstOfMonth(today), -1)
    return { from: firstOfMonth(last), to: last }
  },
} as const

type Range = keyof typeof ranges

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`
const isRange = (value: string): value is Range => Object.hasOwn(ranges, value)

type Props = { label: string; onChange: (range: string) => void }

/** Narrows a list to the days of creation: usual ranges, or a first and a last day. */
export function DateFilter({ label, onChange }: Props) {
  const { now } = useDashboard()
  const [isOwn, setOwn] = useState(false)
  return (
    <>
      <NativeSelect
        className="half"
        aria-label={label}
        value={isOwn ? 'own' : ''}
        onChange={(event) => {
          const { value } = event.currentTarget
          setOwn(value === 'own')
          if (isRange(value)) onChange(rangeText(ranges[value](dayOf(now()))))
        }}
        data={[
          { value: '', label: words.any },
          { value: 'today', label: words.today },
          { value: 'week', label: words.week },
          { value: 'days30', label: words.days30 },
          { value: 'month', label: words.month },
          { value: 'lastMonth', label: words.lastMonth },
          { value: 'own', label: words.own },
        ]}
      />
      {isOwn ? <OwnDays onChange={onChange} /> : null}
    </>
  )
}

function OwnDays({ onChange }: Pick<Props, 'onChange'>) {
  const { now } = useDashboard()
  const [fault, setFault] = useState<string>()
  const today = dayOf(now())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const [from, to] = [dayIn(values.get('from')), dayIn(values.get('to'))]
    if (!from || !to) return
    if (from > to) return setFault(words.order)
    onChange(rangeText({ from, to }))
  }
  return (
    <form className={styles.ownDays} onSubmit={submit}>
      <TextInput
        type="date"
        required
        name="from"
        aria-label={words.from}
        defaultValue={addDays(today, -29)}
        error={fault}
      />
      <TextInput type="date" required name="to" aria-label={words.to} defaultValue={today} />
      <Button type="submit" variant="default">
        {words.show}
      </Button>
    </form>
  )
}
