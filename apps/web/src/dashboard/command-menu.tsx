import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { orderName } from '@tollgate/contract/billing'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import styles from './command-menu.module.css'
import type { Command } from './commands.tsx'
import { useDashboard } from './context.ts'
import { translated } from './language.ts'
import english from './locales/synonyms/en.json' with { type: 'json' }
import { Dialog } from './parts/dialog.tsx'
import { moneyText } from './parts/money.tsx'
import { listQuery } from './queries/billing.ts'
import { texts } from './texts.ts'

const words = texts.commands

/** Other words that people look for a page by. */
const synonyms: Readonly<Partial<Record<string, string>>> = translated?.synonyms ?? english

type Props = {
  pages: readonly Command[]
  actions: readonly Command[]
  /** Returns what was typed until now, and ends keeping it. */
  typed: () => string
  onClose: () => void
}
type Group = { readonly title: string; readonly commands: readonly Command[] }

/** Opens a page, starts an action, or finds a customer or an order, by typing and arrow keys. */
export function CommandMenu({ pages, actions, typed, onClose }: Props) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const wanted = text.trim().toLowerCase()
  const found = useFound(text.trim())
  const fits = ({ label, place = '' }: Command) => `${label} ${synonyms[place] ?? ''}`.toLowerCase().includes(wanted)
  const groups: readonly Group[] = [
    { title: words.pages, commands: pages.filter(fits) },
    { title: words.actions, commands: actions.filter(fits) },
    ...found.groups,
  ].filter(({ commands }) => commands.length > 0)
  const commands = groups.flatMap((group) => group.commands)
  const current = Math.min(chosen, commands.length - 1)

  function run(command: Command | undefined) {
    if (!command) return
    onClose()
    command.run()
  }
  function onKeyDown(event: KeyboardEvent) {
    const places: Readonly<Record<string, number>> = {
      ArrowDown: (current + 1) % Math.max(1, commands.length),
      ArrowUp: (current - 1 + commands.length) % Math.max(1, commands.length),
    }
    const place = places[event.key]
    if (place !== undefined) {
      event.preventDefault()
      setChosen(place)
      document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      run(commands[current])
    }
  }

  let place = -1
  return (
    <Dialog opened onClose={onClose} title={words.title}>
      <Field
        listId={`${id}-list`}
        chosenId={commands.length > 0 ? `${id}-${current}` : undefined}
        value={text}
        onChange={(value) => {
          setText(value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
        onFocused={() => setText(typed())}
      />
      <p role="status" className={commands.length === 0 || found.note ? 'quiet' : 'visually-hidden'}>
        {found.note ?? (commands.length === 0 ? words.none : words.found(commands.length))}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label={words.results} className={styles.list} tabIndex={-1}>
        {groups.map(({ title, commands: listed }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options within a list box
          <div key={title} role="group" aria-label={title}>
            <span className={styles.group} aria-hidden="true">
              {title}
            </span>
            {listed.map((command) => {
              place += 1
              const at = place
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
                // biome-ignore lint/a11y/useFocusableInteractive: the field names the option that is chosen
                <div
                  key={`${title} ${command.label}`}
                  id={`${id}-${at}`}
                  role="option"
                  aria-selected={at === current}
                  className={styles.command}
                  onClick={() => run(command)}
                  onPointerMove={() => setChosen(at)}
                >
                  {command.label}
                </div>
              )
            })}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

type FieldProps = {
  listId: string
  chosenId: string | undefined
  value: string
  onChange: (value: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  /** Called once, when the field takes the keys that follow. */
  onFocused: () => void
}

/** Takes the focus as soon as it renders, because the user keeps typing after the shortcut. */
function Field({ listId, chosenId, value, onChange, onKeyDown, onFocused }: FieldProps) {
  const input = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(() => {
    input.current?.focus()
    onFocused()
  }, [])
  return (
    <TextInput
      ref={input}
      type="text"
      role="combobox"
      aria-label={words.field}
      aria-expanded="true"
      aria-controls={listId}
      aria-activedescendant={chosenId}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      data-autofocus
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

/** The minimum length of a search for customers and orders. */
const searchable = 2

/** Customers and orders that match the text, after a pause in typing. */
function useFound(text: string): { groups: readonly Group[]; note: string | undefined } {
  const { billing, props } = useDashboard()
  const navigate = useNavigate()
  const [asked] = useDebouncedValue(text, 250)
  const { seller } = props
  const may = (resource: string) =>
    seller?.maySell === true && asked.length >= searchable && (seller.permissions[resource]?.includes('read') ?? false)
  const query = { query: asked, limit: 5 }
  const customers = useQuery({
    ...listQuery(['customers', query], (options) => billing.listCustomers(query, options)),
    enabled: may('customer'),
  })
  const orders = useQuery({
    ...listQuery(['orders', query], (options) => billing.listOrders(query, options)),
    enabled: may('order'),
  })
  // Results of another text are hidden.
  const isCurrent = asked === text && asked.length >= searchable
  const isPending =
    seller !== undefined && text.length >= searchable && (!isCurrent || customers.isFetching || orders.isFetching)
  const slug = seller?.organization.slug ?? ''
  const groups: readonly Group[] = isCurrent
    ? [
        {
          title: words.customers,
          commands: (customers.isPlaceholderData ? [] : (customers.data?.items ?? [])).map(({ id, name, email }) => ({
            label: name ? `${name} · ${email}` : email,
            run: () =>
              void navigate({ to: '/dashboard/$slug/customers/$customerId', params: { slug, customerId: id } }),
          })),
        },
        {
          title: words.orders,
          commands: (orders.isPlaceholderData ? [] : (orders.data?.items ?? [])).map((order) => ({
            label: `${orderName(order)} · ${order.product.name} · ${moneyText(order.totalAmount, order.currency)}`,
            run: () => void navigate({ to: '/dashboard/$slug/orders/$orderId', params: { slug, orderId: order.id } }),
          })),
        },
      ]
    : []
  if (isPending) return { groups, note: words.searching }
  return { groups, note: isCurrent && (customers.error ?? orders.error) ? words.failed : undefined }
}
