import { ActionIcon, Button, Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconMoon, IconSun } from '@tabler/icons-react'
import { Outlet, useMatch } from '@tanstack/react-router'
import { GateMark } from '@tollgate/react'
import { lazy, Suspense } from 'react'
import { Commands } from './commands.tsx'
import { useDashboard, useSeller } from './context.ts'
import { Groups } from './navigation.tsx'
import styles from './shell.module.css'
import { OrganizationSwitcher } from './switcher.tsx'
import { texts } from './texts.ts'
import { UserMenu } from './user-menu.tsx'

/** Few sellers see it, and not for long. */
const NotApproved = lazy(async () => ({ default: (await import('./not-approved.tsx')).NotApproved }))

const DevelopmentClock = lazy(async () => ({ default: (await import('./clock/clock.tsx')).DevelopmentClock }))

/** The frame of every page: navigation beside it, or in a drawer where there is no room, and a bar above. */
export function Shell() {
  const [isOpen, drawer] = useDisclosure()
  return (
    <>
      <a href="#content" className={styles.skip}>
        {texts.shell.skip}
      </a>
      <Stripe />
      <div className="shell">
        <aside className="side">
          <Navigation />
        </aside>
        <header className="bar">
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
          <Commands />
          <div className="bar-end">
            <Sandbox />
            <Clock />
            <SchemeButton />
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          <Impersonation />
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

/** Drawn wherever something is not real: a development server, or payments without money. The words for it are in the bar. */
function Stripe() {
  const { mode, seller } = useDashboard().props
  return mode === 'development' || seller?.sandbox ? <div className="stripe" aria-hidden="true" /> : null
}

function Sandbox() {
  const { mode, seller } = useDashboard().props
  if (seller?.sandbox) {
    return (
      <p className="sandbox">
        {texts.shell.sandbox}
        <span className="only-wide">{texts.shell.sandboxMeans}</span>
      </p>
    )
  }
  if (mode !== 'development') return null
  return (
    <p className="visually-hidden" role="note">
      {texts.shell.development}
    </p>
  )
}

/** Only development servers have a clock that moves. */
function Clock() {
  if (useDashboard().props.mode !== 'development') return null
  return (
    <Suspense fallback={<span className={styles.clock} />}>
      <DevelopmentClock />
    </Suspense>
  )
}

/** The way back for an administrator who acts as a seller: a form, because it ends in another document. */
function Impersonation() {
  const { seller, session } = useDashboard().props
  if (!seller?.impersonated) return null
  return (
    <form method="post" action="/stop-impersonating" className="notice" data-tone="warn">
      <input type="hidden" name="form" value="stop-impersonating" />
      <span>{texts.shell.impersonated(session.user.name || session.user.email)}</span>
      <Button type="submit" variant="default" size="compact-sm">
        {texts.shell.stopImpersonating}
      </Button>
    </form>
  )
}

/** An organization's pages. Without approval it has only its settings, and what is missing for the approval. */
export function SellerPages() {
  const { maySell } = useSeller()
  const settings = useMatch({ from: '/dashboard/$slug/settings', shouldThrow: false })
  return maySell || settings ? (
    <Outlet />
  ) : (
    <Suspense>
      <NotApproved />
    </Suspense>
  )
}

function Navigation({ onFollow }: { onFollow?: () => void }) {
  const { props } = useDashboard()
  return (
    <>
      {props.seller ? (
        <OrganizationSwitcher />
      ) : (
        <div className="brand">
          <GateMark />
          <span>
            <strong>{props.appName}</strong>
            <small>{texts.shell.administration}</small>
          </span>
        </div>
      )}
      <Groups onFollow={onFollow} />
      <UserMenu />
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
      aria-label={other === 'dark' ? texts.shell.toDark : texts.shell.toLight}
      onClick={() => setColorScheme(other)}
    >
      <Icon size={18} stroke={1.6} />
    </ActionIcon>
  )
}
