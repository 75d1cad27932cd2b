import { Button } from '@mantine/core'
import type { Result } from '@tollgate/client'
import { type ReactNode, useState } from 'react'
import { answerOf, CallError } from '../queries/answer.ts'
import { texts } from '../texts.ts'
import { ActionDialog } from './action-dialog.tsx'
import styles from './bulk.module.css'

const words = texts.list

/** What can be done to several rows at once. A call may run twice for a row without another effect. */
export type BulkAction<Item> = {
  readonly name: string
  /** The button and the question, such as "Archive 12 products". */
  readonly label: (count: number) => string
  /** What follows, below the question. */
  readonly text: string
  readonly done: (count: number) => string
  readonly danger?: boolean
  /** The rows that it changes; default: all. */
  readonly fits?: (item: Item) => boolean
  /** Why the selected rows that do not fit stay as they are, if it is not seen in them. */
  readonly refused?: (count: number) => string
  readonly run: (item: Item) => Promise<Result<unknown>>
}

export type Bulk<Item> = {
  /** What people call a row. */
  readonly nameOf: (item: Item) => string
  readonly actions?: readonly BulkAction<Item>[] | undefined
  /** What has all selected rows alone, such as a file. */
  readonly whole?: (items: readonly Item[]) => ReactNode
}

/** The selected rows of a page, by id. Another page, order or filter begins without any. */
export function useSelection<Item extends { readonly id: string }>(place: string) {
  const [selected, setSelected] = useState<readonly Item[]>([])
  const [selectedAt, setSelectedAt] = useState(place)
  if (selectedAt !== place) {
    setSelectedAt(place)
    setSelected([])
  }
  const has = ({ id }: Item) => selected.some((each) => each.id === id)
  return {
    selected,
    set: setSelected,
    has,
    toggle: (item: Item) => setSelected(has(item) ? selected.filter(({ id }) => id !== item.id) : [...selected, item]),
  }
}

type Selection<Item extends { readonly id: string }> = ReturnType<typeof useSelection<Item>>

/** Selects a row. */
export function RowBox<Item extends { readonly id: string }>({
  item,
  name,
  selection,
}: {
  item: Item
  name: string
  selection: Selection<Item>
}) {
  return (
    <label className={styles.tick}>
      <input type="checkbox" checked={selection.has(item)} onChange={() => selection.toggle(item)} />
      <span className="visually-hidden">{words.select(name)}</span>
    </label>
  )
}

/** Selects all rows of the page. */
export function PageBox<Item extends { readonly id: string }>({
  items,
  selection: { selected, has, set },
}: {
  items: readonly Item[]
  selection: Selection<Item>
}) {
  const isAll = items.every(has)
  return (
    <label className={styles.tick}>
      <input
        ref={(element) => {
          // No attribute says it.
          if (element) element.indeterminate = !isAll && selected.length > 0
        }}
        type="checkbox"
        checked={isAll}
        onChange={() => set(isAll ? [] : items)}
      />
      <span className="visually-hidden">{words.selectAll}</span>
    </label>
  )
}

type BarProps<Item extends { readonly id: string }> = { bulk: Bulk<Item>; selection: Selection<Item> }

/** How many rows are selected, and what can be done to them. */
export function SelectionBar<Item extends { readonly id: string }>({ bulk, selection }: BarProps<Item>) {
  const { selected, set } = selection
  const [asked, setAsked] = useState<BulkAction<Item>>()
  // The dialog keeps its action while it closes.
  const [shown, setShown] = useState<BulkAction<Item>>()
  if (asked && asked !== shown) setShown(asked)
  const fitting = (action: BulkAction<Item>) => selected.filter(action.fits ?? (() => true))
  const refusalOf = (action: BulkAction<Item>) => {
    const count = selected.length - fitting(action).length
    return count > 0 ? action.refused?.(count) : undefined
  }
  const { actions = [] } = bulk

  /** Changes the rows. Those that could not be changed stay selected, so that a second attempt is for them alone. */
  async function run(action: BulkAction<Item>): Promise<string> {
    const items = fitting(action)
    const failed = await failuresOf(items, action.run)
    set(failed.map(({ item }) => item))
    const done = items.length - failed.length
    if (failed.length === 0) return action.done(done)
    const reasons = failed.slice(0, mostReasons).map(({ item, reason }) => words.reason(bulk.nameOf(item), reason))
    throw new Error([words.partly(done, items.length), ...reasons].join(' '))
  }

  return (
    <>
      <div className={styles.selection} role="status" hidden={selected.length === 0}>
        <span>{words.selected(selected.length)}</span>
        {bulk.whole?.(selected)}
        {actions
          .filter((action) => fitting(action).length > 0)
          .map((action) => (
            <Button
              key={action.name}
              size="compact-md"
              variant="default"
              {...(action.danger && { color: 'red' })}
              onClick={() => setAsked(action)}
            >
              {action.label(fitting(action).length)}
            </Button>
          ))}
        {actions
          .filter((action) => fitting(action).length === 0)
          .map((action) => (
            <span key={action.name} className="quiet">
              {refusalOf(action)}
            </span>
          ))}
        <Button size="compact-md" variant="subtle" color="gray" onClick={() => set([])}>
          {words.clearSelection}
        </Button>
      </div>
      {shown ? (
        <ActionDialog
          opened={asked !== undefined}
          onClose={() => setAsked(undefined)}
          title={shown.label(fitting(shown).length)}
          text={
            <>
              {refusalOf(shown) ? <strong className="block">{refusalOf(shown)}</strong> : null}
              {shown.text}
            </>
          }
          submit={shown.label(fitting(shown).length)}
          {...(shown.danger && { danger: true })}
          run={() => run(shown)}
        />
      ) : null}
    </>
  )
}

/** As many reasons as a dialog can show. */
const mostReasons = 3
/** Calls on their way at the same time. */
const atOnce = 4

type Failed<Item> = { readonly item: Item; readonly reason: string }

/** Calls for each item, some at a time, and answers those that failed. What is gone already counts as done. */
export async function failuresOf<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result<unknown>>,
): Promise<readonly Failed<Item>[]> {
  const failed: Failed<Item>[] = []
  const left = items.values()
  const work = async () => {
    for (const item of left) {
      try {
        await answerOf(run(item))
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        if (error.status !== 404) failed.push({ item, reason: error.message })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return items.flatMap((item) => failed.find((each) => each.item === item) ?? [])
}
