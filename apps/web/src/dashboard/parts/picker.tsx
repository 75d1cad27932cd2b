import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { ListQuery } from '../queries/billing.ts'
import { texts } from '../texts.ts'
import styles from './picker.module.css'

const words = texts.picker

export type Picked = { readonly id: string; readonly name: string }

type Props<Item extends Picked> = {
  label: string
  /** What no choice means: `Any product`. */
  none: string
  chosen: readonly Item[]
  onChange: (chosen: readonly Item[]) => void
  /** The options, searched by text if there are too many to list. */
  query: (search: string) => ListQuery<Picked>
  /** The selected options with their data. */
  pick: (picked: Picked) => Item
  /** Shown beside a selected option's name. */
  children?: (item: Item) => ReactNode
  /** Whether the order means something. */
  isOrdered?: boolean
  error?: ReactNode
}

/** Selects several options. If their order matters, buttons move them, so that a keyboard is enough. */
export function Picker<Item extends Picked>(props: Props<Item>) {
  const { label, none, chosen, onChange, query, pick, children, isOrdered, error } = props
  const [search, setSearch] = useState('')
  const [moved, setMoved] = useState('')
  const { data } = useQuery(query(search))
  const add = useRef<HTMLSelectElement>(null)
  const found = (data?.items ?? []).filter((item) => !chosen.some((each) => each.id === item.id))
  const isLong = data?.pagination.nextCursor !== null || search !== ''

  function remove(item: Item) {
    onChange(chosen.filter((each) => each.id !== item.id))
    add.current?.focus()
  }
  function move(index: number, by: 1 | -1) {
    const other = chosen[index + by]
    const item = chosen[index]
    if (!item || !other) return
    const order = [...chosen]
    order[index] = other
    order[index + by] = item
    onChange(order)
    setMoved(words.moved(item.name, index + by + 1, chosen.length))
  }

  return (
    <fieldset className={styles.picker}>
      <legend>{label}</legend>
      {chosen.length === 0 ? <p className="quiet">{none}</p> : null}
      {chosen.length > 0 ? (
        <ul>
          {chosen.map((item, index) => (
            <li key={item.id}>
              <span className="grow">{item.name}</span>
              {children?.(item)}
              {isOrdered ? (
                <>
                  <PickerButton label={words.up(item.name)} off={index === 0} onPress={() => move(index, -1)}>
                    <IconArrowUp size={16} stroke={1.6} />
                  </PickerButton>
                  <PickerButton
                    label={words.down(item.name)}
                    off={index === chosen.length - 1}
                    onPress={() => move(index, 1)}
                  >
                    <IconArrowDown size={16} stroke={1.6} />
                  </PickerButton>
                </>
              ) : null}
              <PickerButton label={words.remove(item.name)} onPress={() => remove(item)}>
                <IconX size={16} stroke={1.6} />
              </PickerButton>
            </li>
          ))}
        </ul>
      ) : null}
      <div className={styles.add}>
        {isLong && data ? (
          <TextInput
            type="search"
            aria-label={words.search(label)}
            placeholder={words.find}
            autoComplete="off"
            maxLength={200}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        <NativeSelect
          ref={add}
          aria-label={words.add(label)}
          value=""
          error={error}
          onChange={(event) => {
            const item = found.find((each) => each.id === event.currentTarget.value)
            if (item) onChange([...chosen, pick(item)])
          }}
          data={[
            { value: '', label: data && found.length === 0 ? words.nothing : words.choose },
            ...found.map((item) => ({ value: item.id, label: item.name })),
          ]}
        />
      </div>
      <span role="status" className="visually-hidden">
        {moved}
      </span>
    </fieldset>
  )
}

type ButtonProps = { label: string; off?: boolean; onPress: () => void; children: ReactNode }

/** Never disabled: an option at the end keeps the focus. */
const PickerButton = ({ label, off, onPress, children }: ButtonProps) => (
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
