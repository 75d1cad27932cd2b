import { Button, NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, useEffect, useId, useState } from 'react'
import { useSeller } from '../context.ts'
import { dayText, longDayText, monthText, rangeLabel } from '../days.ts'
import { Panel } from '../parts/panel.tsx'
import styles from './chart.module.css'
import type { ChartProps } from './chart.tsx'
import type { Figure, Overview } from './figure.ts'
import type { OverviewSearch } from './overview.search.ts'
import { overviewWords } from './overview.texts.ts'

const words = overviewWords.chart

type Props = { overview: Overview; figures: readonly Figure[]; search: OverviewSearch }

/** One figure over the period, as a chart and as a table. Screen readers have the table in either case. */
export function ChartPanel({ overview, figures, search }: Props) {
  const { slug } = useSeller()
  const navigate = useNavigate()
  const [isTable, setTable] = useState(false)
  const table = useId()
  const figure = figures.find(({ key }) => key === search.figure) ?? figures[0]
  const Chart = useChart()
  if (!figure) return null
  const { interval, periods, startDate, endDate } = overview
  const show = (key: string) =>
    navigate({
      to: '/dashboard/$slug',
      params: { slug },
      search: { ...search, figure: key === figures[0]?.key ? undefined : key },
      replace: true,
      resetScroll: false,
    })
  const name = words.name(figure.label, rangeLabel({ from: startDate, to: endDate }))
  const isCounted = figure.kind === 'subscriptions'
  return (
    <Panel
      title={words.title}
      actions={
        <>
          <NativeSelect
            aria-label={words.figure}
            value={figure.key}
            onChange={(event) => void show(event.currentTarget.value)}
            data={figures.map(({ key, label }) => ({ value: key, label }))}
          />
          <Button variant="default" aria-controls={table} onClick={() => setTable(!isTable)}>
            {isTable ? words.asChart : words.asTable}
          </Button>
        </>
      }
    >
      {isTable ? null : (
        <div className={styles.chart}>
          {Chart === 'failed' ? <p className="quiet chart-state">{words.failed}</p> : null}
          {Chart && Chart !== 'failed' ? (
            <Chart
              // A new figure or period begins at its end again.
              key={`${figure.key} ${startDate} ${endDate}`}
              name={name}
              labels={periods.map(interval === 'day' ? longDayText : monthText)}
              ticks={periods.map(interval === 'day' ? dayText : monthText)}
              values={figure.course.values}
              shape={isCounted || figure.kind === 'revenue' ? 'line' : 'bars'}
              summary={(isCounted ? words.end : words.total)(figure.text(figure.course.total))}
              text={figure.text}
              short={figure.short}
            />
          ) : null}
        </div>
      )}
      <div
        id={table}
        className={isTable ? styles.table : 'visually-hidden'}
        // It scrolls, also by the keys.
        {...(isTable && { tabIndex: 0, role: 'region', 'aria-label': name })}
      >
        <table>
          <caption className="visually-hidden">{name}</caption>
          <thead>
            <tr>
              <th scope="col">{words[interval]}</th>
              <th scope="col" className="end">
                {figure.label}
              </th>
            </tr>
          </thead>
          <tbody>
            {periods.map((period, index) => (
              <tr key={period}>
                <th scope="row">{interval === 'day' ? longDayText(period) : monthText(period)}</th>
                <td className="end">{figure.text(figure.course.values[index] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

type Loaded = ComponentType<ChartProps> | 'failed' | undefined

/** The chart, in a chunk of its own that loads after the first paint; its place is kept meanwhile. */
function useChart(): Loaded {
  const [chart, setChart] = useState<{ readonly loaded: Loaded }>({ loaded: undefined })
  useEffect(() => {
    let isGone = false
    const load = async () => {
      const loaded = await import('./chart.tsx').then(
        (part) => part.Chart,
        () => 'failed' as const,
      )
      if (!isGone) setChart({ loaded })
    }
    // The second frame begins after the first one was painted.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => void load()))
    return () => {
      isGone = true
      cancelAnimationFrame(frame)
    }
  }, [])
  return chart.loaded
}
