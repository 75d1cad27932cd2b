import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { type DayRange, dayOf, rangeText } from '../days.ts'
import { changeOf } from './change.ts'
import type { Figure, FigureKind } from './figure.ts'
import styles from './figures.module.css'
import { overviewWords as words } from './overview.texts.ts'
import { Sparkline } from './sparkline.tsx'

type Props = { figures: readonly Figure[]; days: DayRange; isStale: boolean }

/** The figures of the period; each leads to the list that it counts. */
export function Figures({ figures, days, isStale }: Props) {
  const kinds = [...new Set(figures.map(({ kind }) => kind))]
  return (
    <section aria-label={words.numbers} className={styles.figures} data-stale={isStale || undefined}>
      {kinds.map((kind) => {
        const [first, ...others] = figures.filter((figure) => figure.kind === kind)
        if (!first) return null
        return (
          <div key={kind} className={`panel ${styles.figure}`}>
            <p className={styles.label}>{first.label}</p>
            <p className={styles.number}>
              <ListLink kind={kind} days={days} label={words.show(first.text(first.course.total), words.lists[kind])}>
                {first.text(first.course.total)}
              </ListLink>
            </p>
            <ChangeLine figure={first} />
            {others.map((figure) => (
              <p key={figure.key} className={styles.other}>
                <span className="quiet">{figure.label}</span> <strong>{figure.text(figure.course.total)}</strong>{' '}
                <ChangeLine figure={figure} />
              </p>
            ))}
            <Sparkline values={first.course.values} />
            <p className={`quiet ${styles.hint}`}>{words.hints[kind]}</p>
          </div>
        )
      })}
    </section>
  )
}

const arrows = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconArrowRight }

/** The change in words and with an arrow; its color only repeats them. */
function ChangeLine({ figure: { course, text } }: { figure: Figure }) {
  const { direction, percent } = changeOf(course.total, course.before)
  const Arrow = arrows[direction]
  const before = text(course.before)
  return (
    <span className={styles.change} data-direction={direction}>
      <Arrow size={15} stroke={1.8} aria-hidden />
      <span className="visually-hidden">{words.change[direction]} </span>
      {percent ? <strong>{percent}</strong> : null}
      <span className="quiet">{percent ? words.change.from(before) : words.change.none(before)}</span>
    </span>
  )
}

type ListLinkProps = {
  kind: FigureKind
  days: DayRange
  /** The figure and what is behind it. */
  label: string
  children: ReactNode
}

/** A link to the list, narrowed to the same days; plain text for viewers without the permission. */
function ListLink({ kind, days, label, children }: ListLinkProps) {
  const { slug, may, now } = useSeller()
  const created = rangeText(days)
  if (kind === 'subscriptions')
    return may('subscription', 'read') ? (
      <Link
        to="/dashboard/$slug/subscriptions"
        params={{ slug }}
        search={days.to >= dayOf(now()) ? { stage: 'running' } : {}}
        aria-label={label}
      >
        {children}
      </Link>
    ) : (
      children
    )
  if (kind === 'customers')
    return may('customer', 'read') ? (
      <Link to="/dashboard/$slug/customers" params={{ slug }} search={{ created }} aria-label={label}>
        {children}
      </Link>
    ) : (
      children
    )
  return (
    <Link to="/dashboard/$slug/orders" params={{ slug }} search={{ status: 'collected', created }} aria-label={label}>
      {children}
    </Link>
  )
}
