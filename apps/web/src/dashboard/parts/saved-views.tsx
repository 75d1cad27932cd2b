import { Button, TextInput } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconBookmark, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useSeller } from '../context.ts'
import { stringifySearch } from '../search.ts'
import { texts } from '../texts.ts'
import { ActionDialog } from './action-dialog.tsx'
import { FieldError } from './field-errors.ts'
import { textOf } from './form.ts'
import styles from './saved-views.module.css'

const words = texts.list.views

/** A named set of filters and an order, as they stand in the list's address. */
type View = { readonly name: string; readonly search: string }

type Views = Readonly<Record<string, readonly View[]>>

const mostViews = 20
const longestName = 40

/** The views of a list that the viewer has saved in this browser, for this organization alone. */
function useViews(list: string) {
  const { organization, props } = useSeller()
  const [kept, keep] = useLocalStorage<Views>({
    key: `tollgate_views_${props.session.user.id}_${organization.id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const views = Object.hasOwn(kept, list) ? (kept[list] ?? []) : []
  const set = (changed: readonly View[]) => keep({ ...kept, [list]: changed })
  return {
    views,
    add: (view: View) => set([...views.filter(({ name }) => name !== view.name), view]),
    remove: (view: View) => set(views.filter(({ name }) => name !== view.name)),
  }
}

type Props = {
  /** The list's name. */
  list: string
  /** The address without the place in the list. */
  search: Readonly<Record<string, unknown>>
  /** The address that a view stands for. */
  onShow: (search: Readonly<Record<string, string>>) => void
}

/** Buttons for the saved views of a list, and one that saves the filters and the order that it has now. */
export function SavedViews({ list, search, onShow }: Props) {
  const { views, add, remove } = useViews(list)
  const [isNaming, setNaming] = useState(false)
  const now = stringifySearch({ ...search, cursor: undefined, page: undefined })
  const isKnown = now === '' || views.some((view) => view.search === now)
  return (
    <>
      {views.map((view) => (
        <span key={view.name} className={styles.view} data-current={view.search === now || undefined}>
          <button
            type="button"
            aria-pressed={view.search === now}
            onClick={() => onShow(Object.fromEntries(new URLSearchParams(view.search === now ? '' : view.search)))}
          >
            <IconBookmark size={14} stroke={1.6} aria-hidden />
            {view.name}
          </button>
          <button type="button" aria-label={words.remove(view.name)} onClick={() => remove(view)}>
            <IconX size={14} stroke={1.6} aria-hidden />
          </button>
        </span>
      ))}
      {isKnown || views.length >= mostViews ? null : (
        <Button variant="subtle" color="gray" onClick={() => setNaming(true)}>
          {words.save}
        </Button>
      )}
      <ActionDialog
        opened={isNaming}
        onClose={() => setNaming(false)}
        title={words.title}
        text={words.text}
        submit={words.save}
        invalidates={false}
        run={async (form) => {
          const name = textOf(form, 'name')
          if (name === '') throw new FieldError('name', words.nameless)
          add({ name, search: now })
          return words.saved(name)
        }}
      >
        {(errorOf) => (
          <TextInput
            name="name"
            label={words.name}
            maxLength={longestName}
            autoComplete="off"
            data-autofocus
            error={errorOf('name')}
          />
        )}
      </ActionDialog>
    </>
  )
}
