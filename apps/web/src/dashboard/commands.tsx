import { UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import styles from './commands.module.css'
import { useDashboard } from './context.ts'
import { creatorsOf, groupsOf, peopleOf } from './navigation.tsx'
import { useKeyAfter, useShortcut } from './parts/shortcuts.ts'
import { createTypeAhead } from './parts/type-ahead.ts'
import { newParams } from './resource.ts'
import { texts } from './texts.ts'

const words = texts.commands

/** Loaded when one of them opens for the first time. */
const CommandMenu = lazy(async () => ({ default: (await import('./command-menu.tsx')).CommandMenu }))
const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }))

const typeAhead = createTypeAhead(() => window)

export type Command = {
  readonly label: string
  /** The page that it opens: the menu knows other words for it. */
  readonly place?: string | undefined
  readonly run: () => void
}

/** The button in the bar, and the keys: Ctrl or ⌘ K for the menu, `g` and a letter for a page, `?` for the list of keys. */
export function Commands() {
  const context = useDashboard()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const [isMenu, menu] = useDisclosure()
  const [isList, list] = useDisclosure()
  const slug = context.props.seller?.organization.slug ?? ''
  const people = peopleOf(context)
  const entries = groupsOf(context).flatMap((group) => group.entries)

  const open = () => {
    if (isMenu) return
    typeAhead.begin()
    menu.open()
  }
  const close = () => {
    typeAhead.take()
    menu.close()
  }
  // An empty list: the shortcut works in fields too, because users press it while they write.
  useHotkeys([['mod+K', open]], [])
  useShortcut('?', list.open)
  useKeyAfter(
    'g',
    Object.fromEntries(entries.map(({ key, to }) => [key, () => void navigate({ to, params: { slug } })])),
  )

  const pages: readonly Command[] = [
    ...entries.map(({ name, label, to }) => ({
      label,
      place: name,
      run: () => void navigate({ to, params: { slug } }),
    })),
    ...people.map(({ name, label, href }) => ({
      label,
      place: name,
      run: () => location.assign(href),
    })),
  ]
  const actions: readonly Command[] = [
    ...creatorsOf(context).map(({ label, to }) => ({
      label,
      run: () => void navigate({ to, params: newParams(slug) }),
    })),
    ...(context.props.seller?.permissions.invitation?.includes('create')
      ? people
          .filter(({ name }) => name === 'invitations')
          .map(({ name, href }) => ({
            label: words.invite,
            place: name,
            run: () => location.assign(href),
          }))
      : []),
    { label: words.keys, run: list.open },
    { label: words.dark, run: () => setColorScheme('dark') },
    { label: words.light, run: () => setColorScheme('light') },
  ]
  return (
    <>
      <UnstyledButton className={styles.button} aria-haspopup="dialog" onClick={open}>
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <span className="one-line">{words.open}</span>
        <span className={`${styles.kbd} only-wide`} aria-hidden="true">
          {isApple() ? '⌘K' : `${words.control} K`}
        </span>
      </UnstyledButton>
      <Suspense>
        {isMenu ? <CommandMenu pages={pages} actions={actions} typed={typeAhead.take} onClose={close} /> : null}
        {isList ? <KeyList entries={entries} onClose={list.close} /> : null}
      </Suspense>
    </>
  )
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)
