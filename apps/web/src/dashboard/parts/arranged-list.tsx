import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import styles from './arranged-list.module.css'

const words = texts.picker

type Props<Item> = {
  /** The list's name for screen readers. */
  label: string
  items: readonly Item[]
  idOf: (item: Item) => string
  /** The item's name in the buttons that move it. */
  nameOf: (item: Item, index: number) => string
  onMove: (from: number, to: number) => void
  children: (item: Item, index: number) => ReactNode
}

/** A list in an order that means something. Items are dragged by their grip, or moved by buttons and Alt with an arrow. */
export function ArrangedList<Item>({ label, items, idOf, nameOf, onMove, children }: Props<Item>) {
  const [moved, setMoved] = useState('')
  const [dragged, setDragged] = useState<number>()
  const [target, setTarget] = useState<number>()
  const list = useRef<HTMLUListElement>(null)

  function move(from: number, to: number) {
    const item = items[from]
    if (item === undefined || to < 0 || to >= items.length || from === to) return
    onMove(from, to)
    setMoved(words.moved(nameOf(item, from), to + 1, items.length))
  }
  function endDrag() {
    setDragged(undefined)
    setTarget(undefined)
  }

  return (
    <>
      <ul className={styles.list} aria-label={label} ref={list}>
        {items.map((item, index) => {
          const name = nameOf(item, index)
          return (
            <li
              key={idOf(item)}
              data-dragged={index === dragged || undefined}
              data-target={
                index === target && index !== dragged ? (index > (dragged ?? 0) ? 'after' : 'before') : undefined
              }
              onDragOver={(event) => {
                if (dragged === undefined) return
                event.preventDefault()
                setTarget(index)
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== undefined) move(dragged, index)
                endDrag()
              }}
              onKeyDown={(event) => {
                if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
                event.preventDefault()
                move(index, event.key === 'ArrowUp' ? index - 1 : index + 1)
              }}
            >
              {/* Only the grip is dragged: in a field, dragging selects text. */}
              <span
                className={styles.grip}
                aria-hidden="true"
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move'
                  event.dataTransfer.setData('text/plain', name)
                  const row = list.current?.children[index]
                  if (row) event.dataTransfer.setDragImage(row, 16, 16)
                  setDragged(index)
                }}
                onDragEnd={endDrag}
              >
                <IconGripVertical size={16} stroke={1.6} />
              </span>
              {children(item, index)}
              <MoveButton label={words.up(name)} off={index === 0} onPress={() => move(index, index - 1)}>
                <IconArrowUp size={16} stroke={1.6} />
              </MoveButton>
              <MoveButton
                label={words.down(name)}
                off={index === items.length - 1}
                onPress={() => move(index, index + 1)}
              >
                <IconArrowDown size={16} stroke={1.6} />
              </MoveButton>
            </li>
          )
        })}
      </ul>
      <span role="status" className="visually-hidden">
        {moved}
      </span>
    </>
  )
}

type ButtonProps = { label: string; off: boolean; onPress: () => void; children: ReactNode }

/** Never disabled: at the end of the list it keeps the focus. */
const MoveButton = ({ label, off, onPress, children }: ButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={28}
    aria-label={label}
    aria-disabled={off || undefined}
    className={off ? 'off' : undefined}
    onClick={() => !off && onPress()}
  >
    {children}
  </ActionIcon>
)

/** The list with one item moved to another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1))
}
