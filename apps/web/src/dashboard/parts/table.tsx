import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import styles from './table.module.css'

/*
 * A table that becomes a list of cards where there is no room. Rows drawn as grids are no longer rows to assistive
 * technology, so every part says what it is.
 */

type TableProps = {
  label: string
  busy?: boolean | undefined
  head: ReactNode
  children: ReactNode
  className?: string
  ref?: Ref<HTMLDivElement>
}

export function Table({ label, busy, head, children, className, ref }: TableProps) {
  return (
    <div ref={ref} className={`panel ${styles.panel}`} data-busy={busy || undefined}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <table role="table" aria-label={label} aria-busy={busy} className={className}>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <thead role="rowgroup">
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <tr role="row">{head}</tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </div>
  )
}

export function Row({ children }: { children: ReactNode }) {
  // biome-ignore lint/a11y/noRedundantRoles: see above
  return <tr role="row">{children}</tr>
}

/** How a column looks without a rule of its own in the style sheet. */
export type CellLook = {
  /** Of the column, where it is not to take what is left. */
  size?: 'small' | 'medium' | 'large' | undefined
  /** Shown where the window is broad only. */
  room?: 'broad' | undefined
  /** Amounts and counts stand below each other by their last digits. */
  align?: 'end' | undefined
  /** The column's place in the card layout: half a line, a whole line, or hidden. */
  card?: 'start' | 'end' | 'wide' | 'hidden' | undefined
  /** The value's label in the card layout, if it needs its column's header. */
  cardLabel?: string | undefined
}

const look = ({ size, room, align, card, cardLabel }: CellLook) => ({
  'data-size': size,
  'data-room': room,
  'data-align': align,
  'data-card': card,
  'data-label': cardLabel,
})

/** `name` places the cell in the card that the row becomes. */
export function Cell({ name, children, ...rest }: CellLook & { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <td role="cell" data-cell={name} {...look(rest)}>
      {children}
    </td>
  )
}

export function HeadCell({ name, children, ...rest }: CellLook & { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <th role="columnheader" scope="col" data-cell={name} {...look(rest)}>
      {children}
    </th>
  )
}

type SortProps = CellLook & {
  name: string
  sort: 'ascending' | 'descending' | 'none'
  onSort: () => void
  children: ReactNode
}

/** A column that the table can be sorted by. */
export function SortableHeadCell({ name, sort, onSort, children, ...rest }: SortProps) {
  const Arrow = sort === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <th role="columnheader" scope="col" data-cell={name} aria-sort={sort} {...look(rest)}>
      <button type="button" className={styles.sort} onClick={onSort}>
        {children}
        <Arrow size={14} stroke={1.6} aria-hidden data-idle={sort === 'none' || undefined} />
      </button>
    </th>
  )
}
