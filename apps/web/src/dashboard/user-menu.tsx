import { Checkbox } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import { useDashboard } from './context.ts'
import { OwnPicture } from './parts/own-picture.tsx'
import { useShortcuts } from './parts/shortcuts.ts'
import styles from './switcher.module.css'
import { texts } from './texts.ts'

const words = texts.shell

/** The viewer at the end of the navigation, and a panel above with what is theirs alone. */
export function UserMenu() {
  const { session, seller } = useDashboard().props
  const { user } = session
  const shortcuts = useShortcuts()
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  return (
    <div className="side-foot">
      <button type="button" className="me" popoverTarget={id}>
        <OwnPicture name={user.name || user.email} image={user.image} />
        <span>
          <strong>{user.name} </strong>
          <small>{user.email}</small>
        </span>
        <span className="visually-hidden">, {words.userMenu}</span>
        <IconSelector size={16} stroke={1.6} aria-hidden />
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        className={`${styles.panel} ${styles.userPanel}`}
        onToggle={(event) => {
          if (event.newState === 'open') panel.current?.querySelector('a')?.focus()
        }}
      >
        <ul>
          <li>
            <a href="/account" className="nav-link">
              {words.account}
            </a>
          </li>
          {seller?.administers ? (
            <li>
              <a href="/admin" className="nav-link">
                {words.toAdministration}
              </a>
            </li>
          ) : null}
          <li className={`only-wide ${styles.userChoice}`}>
            <Checkbox
              size="xs"
              label={words.shortcuts}
              checked={shortcuts.isOn}
              onChange={(event) => shortcuts.turn(event.currentTarget.checked)}
            />
          </li>
          <li>
            {/* A form, because it ends in another document, and so that no link can sign a person out. */}
            <form method="post" action="/sign-out">
              <input type="hidden" name="form" value="sign-out" />
              <button type="submit" className="nav-link">
                {words.signOut}
              </button>
            </form>
          </li>
        </ul>
      </div>
    </div>
  )
}
