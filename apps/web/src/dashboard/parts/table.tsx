import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import styles from './table.module.css'

/*
 * A table that becomes a list of cards where there is no room. Rows drawn as grids are no longer rows to assistive
 * technology, so every part says what it is.
 */

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

/** A column: its heading, and its cell of each row. */
export type TableColumn<Item> = CellLook & {
  /** Places the cell in the card that the row becomes. */
  name: string
  label: ReactNode
  /** How the table is sorted by it, if it can be. */
  sort?: { readonly order: 'ascending' | 'descending' | 'none'; readonly onSort: () => void } | undefined
  cell: (item: Item) => ReactNode
}

type Props<Item> = {
  label: string
  busy?: boolean | undefined
  className?: string
  ref?: Ref<HTMLDivElement>
  columns: readonly TableColumn<Item>[]
  items: readonly Item[]
}

/** A table of columns; its rows come in the order of the items. */
export function Table<Item extends { readonly id: string }>(props: Props<Item>) {
  const { label, busy, className, ref, columns, items } = props
  return (
    <div ref={ref} className={`panel ${styles.panel}`} data-busy={busy || undefined}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <table role="table" aria-label={label} aria-busy={busy} className={className}>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <thead role="rowgroup">
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <tr role="row">
            {columns.map((column) => (
              <HeadCell key={column.name} {...column} />
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <tbody role="rowgroup">
          {items.map((item) => (
            // biome-ignore lint/a11y/noRedundantRoles: see above
            <tr key={item.id} role="row">
              {columns.map(({ name, cell, ...rest }) => (
                // biome-ignore lint/a11y/noRedundantRoles: see above
                <td key={name} role="cell" data-cell={name} {...look(rest)}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeadCell({ name, label, sort, ...rest }: Omit<TableColumn<never>, 'cell'>) {
  const Arrow = sort?.order === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <th role="columnheader" scope="col" data-cell={name} aria-sort={sort?.order} {...look(rest)}>
      {sort ? (
        <button type="button" className={styles.sort} onClick={sort.onSort}>
          {label}
          <Arrow size={14} stroke={1.6} aria-hidden data-idle={sort.order === 'none' || undefined} />
        </button>
      ) : (
        label
      )}
    </th>
  )
}
