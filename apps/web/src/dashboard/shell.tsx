import { ActionIcon, Checkbox, Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuilding, IconHistory, IconMenu2, IconMoon, IconSun, IconUsers } from '@tabler/icons-react'
import { Link, Outlet } from '@tanstack/react-router'
import { GateMark } from '@tollgate/react'
import { useDashboard } from './context.ts'
import { Initials } from './parts/initials.tsx'
import { useShortcuts } from './parts/shortcuts.ts'
import { texts } from './texts.ts'

/** What the dashboard consists of; groups and entries are added here. */
const groups = [
  {
    title: texts.shell.accounts,
    entries: [
      { to: '/admin/users', label: texts.shell.users, icon: IconUsers },
      { to: '/admin/organizations', label: texts.shell.organizations, icon: IconBuilding },
      { to: '/admin/audit', label: texts.shell.audit, icon: IconHistory },
    ],
  },
] as const

/** The frame of every page: navigation beside it, or in a drawer where there is no room, and a bar above. */
export function Shell() {
  const { props } = useDashboard()
  const [isOpen, drawer] = useDisclosure()
  return (
    <>
      <a href="#content" className="skip">
        {texts.shell.skip}
      </a>
      <div className="shell">
        <aside className="side">
          <Navigation />
        </aside>
        <header className="bar">
          {props.mode === 'development' ? (
            <div className="stripe" role="note">
              <span className="visually-hidden">{texts.shell.development}</span>
            </div>
          ) : null}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            className="only-narrow"
            aria-label={texts.shell.openNavigation}
            aria-expanded={isOpen}
            onClick={drawer.open}
          >
            <IconMenu2 size={20} stroke={1.6} />
          </ActionIcon>
          <SchemeButton />
        </header>
        <main id="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Drawer.Root opened={isOpen} onClose={drawer.close} size={264}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={texts.shell.navigation}>
          <Drawer.Body className="drawer">
            <Navigation onFollow={drawer.close} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  )
}

function Navigation({ onFollow }: { onFollow?: () => void }) {
  const { props } = useDashboard()
  const { user } = props.session
  const shortcuts = useShortcuts()
  const isOffered = ({ to }: { to: string }) => props.features.organizations || to !== '/admin/organizations'
  return (
    <>
      <div className="brand">
        <GateMark />
        <span>
          <strong>{props.appName}</strong>
          <small>{texts.shell.administration}</small>
        </span>
      </div>
      <nav aria-label={texts.shell.navigation}>
        {groups.map(({ title, entries }) => (
          <div key={title} className="nav-group">
            <h2>{title}</h2>
            <ul>
              {entries.filter(isOffered).map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  <Link to={to} className="nav-link" preload="intent" onClick={onFollow}>
                    <Icon size={17} stroke={1.6} aria-hidden />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="side-foot">
        <Checkbox
          size="xs"
          className="only-wide"
          label={texts.shell.shortcuts}
          checked={shortcuts.isOn}
          onChange={(event) => shortcuts.turn(event.currentTarget.checked)}
        />
        <a href="/account" className="me">
          <Initials name={user.name || user.email} />
          <span>
            <span className="visually-hidden">{texts.shell.account} </span>
            <strong>{user.name} </strong>
            <small>{user.email}</small>
          </span>
        </a>
      </div>
    </>
  )
}

function SchemeButton() {
  const scheme = useComputedColorScheme('light')
  const { setColorScheme } = useMantineColorScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  const Icon = scheme === 'dark' ? IconSun : IconMoon
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      className="scheme"
      aria-label={other === 'dark' ? texts.shell.toDark : texts.shell.toLight}
      onClick={() => setColorScheme(other)}
    >
      <Icon size={18} stroke={1.6} />
    </ActionIcon>
  )
}
