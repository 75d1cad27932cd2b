import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import styles from './chart.module.css'
import { overviewWords } from './overview.texts.ts'

const words = overviewWords.chart

export type ChartProps = {
  /** What the chart shows, for its accessible name. */
  name: string
  /** The periods in full, and short for the axis. */
  labels: readonly string[]
  ticks: readonly string[]
  values: readonly number[]
  shape: 'line' | 'bars'
  /** What stands above the chart while no point is chosen. */
  summary: string
  text(value: number): string
  short(value: number): string
}

const height = 240

/** Counts and minor units are whole: an axis has no half orders. */
const wholeSteps = Array.from({ length: 11 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

/** Points are chosen with the pointer or the arrow keys, and said in the line above: nothing floats over the chart. */
export function Chart(props: ChartProps) {
  const { name, labels, values, summary, text } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [chosen, setChosen] = useState<number>()

  useEffect(() => {
    const element = place.current
    if (!element) return
    const made = new uPlot(optionsOf(latest, element, setChosen), dataOf(latest.current), element)
    plot.current = made
    const size = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    size.observe(element)
    const redraw = () => made.redraw()
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    const choice = new MutationObserver(redraw)
    choice.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
    return () => {
      size.disconnect()
      choice.disconnect()
      scheme.removeEventListener('change', redraw)
      made.destroy()
    }
  }, [])
  useEffect(() => plot.current?.setData(dataOf({ values })), [values])

  const last = values.length - 1
  const at = chosen === undefined ? undefined : Math.min(chosen, last)
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(last, index))
    setChosen(next)
    const made = plot.current
    made?.setCursor({ left: made.valToPos(next, 'x'), top: made.valToPos(values[next] ?? 0, 'y') }, false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepOf(event.key, at ?? last + 1, last)
    if (to === undefined) return
    event.preventDefault()
    choose(to)
  }
  const said = (index: number) => words.point(labels[index] ?? '', text(values[index] ?? 0))
  return (
    <>
      <p className={styles.said} aria-hidden="true">
        {at === undefined ? summary : said(at)}
      </p>
      <div
        ref={place}
        className={styles.place}
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-description={words.keys}
        aria-valuemin={1}
        aria-valuemax={values.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={at === undefined ? summary : said(at)}
        onKeyDown={onKeyDown}
      />
    </>
  )
}

function stepOf(key: string, at: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at - 1
  if (key === 'ArrowRight' || key === 'ArrowUp') return at + 1
  if (key === 'PageUp') return at + 7
  if (key === 'PageDown') return at - 7
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** Points are numbered: the server has cut the period into local days, so the axis knows no time. */
const dataOf = ({ values }: Pick<ChartProps, 'values'>): uPlot.AlignedData => [
  values.map((_, index) => index),
  [...values],
]

/** A canvas knows no custom properties, so the style sheet gives the colors to properties that the browser resolves. */
function colorsOf(element: HTMLElement) {
  const { color, textDecorationColor, borderTopColor, caretColor } = getComputedStyle(element)
  return { series: color, area: textDecorationColor, line: borderTopColor, ink: caretColor }
}

function optionsOf(
  latest: { readonly current: ChartProps },
  element: HTMLElement,
  setChosen: (index: number | undefined) => void,
): uPlot.Options {
  const { shape, values } = latest.current
  const { fontFamily } = getComputedStyle(element)
  const font = `12px ${fontFamily}`
  const axis = { font, stroke: () => colorsOf(element).ink, ticks: { show: false } }
  const isDotted = values.length === 1
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    scales: {
      x: {
        time: false,
        range: (_, min, max) => (shape === 'bars' || min === max ? [min - 0.6, max + 0.6] : [min, max]),
      },
      y: { range: (_, min, max) => [Math.min(0, min), Math.max(4, max * 1.08)] },
    },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 32,
        gap: 8,
        space: 76,
        incrs: [1, 2, 3, 5, 7, 10, 14, 15, 30, 60],
        values: (_, splits) => splits.map((index) => latest.current.ticks[index] ?? ''),
      },
      {
        ...axis,
        size: element.clientWidth < 480 ? 48 : 60,
        grid: { stroke: () => colorsOf(element).line, width: 1 },
        incrs: wholeSteps,
        values: (_, splits) => splits.map((value) => latest.current.short(value)),
      },
    ],
    series: [
      {},
      {
        stroke: () => colorsOf(element).series,
        width: shape === 'bars' ? 0 : 1.75,
        fill: () => (shape === 'bars' ? colorsOf(element).series : colorsOf(element).area),
        ...(shape === 'bars' && uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 28] }) }),
        points: { show: isDotted },
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor }) => {
          if (cursor.event)
            setChosen(cursor.left !== undefined && cursor.left >= 0 ? (cursor.idx ?? undefined) : undefined)
        },
      ],
    },
  }
}
