import type { ReactNode } from 'react'
import { Avatar } from '../elements/avatar.tsx'
import { Menu, Opens } from '../elements/overlay.tsx'
import { useSession } from '../hooks/use-session.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { isPlaceholder } from './placeholder-address.ts'
import { SignOutForm } from './sign-out-form.tsx'

/** Renders its children only for a signed-in user. */
export function SignedIn({ children }: { children: ReactNode }) {
  return useSession().data ? children : null
}

/** Renders its children only for a signed-out visitor, once that is known. */
export function SignedOut({ children }: { children: ReactNode }) {
  const { data, pending } = useSession()
  return !data && !pending ? children : null
}

export type UserButtonProps = {
  /** Where the sign-out form posts without JavaScript; the sign-out page by default. */
  signOutAction?: string
  /** Leads to the administration, for those who run the installation. */
  administers?: boolean | undefined
  /** Shows the name and the address beside the picture. */
  detailed?: boolean
  /** Further links in the menu. */
  links?: readonly { label: string; href: string }[]
  /** Called instead of leaving for the sign-in page. */
  onSignedOut?: () => void
}

/** The signed-in user's picture, with a menu to the account and sign-out. Renders nothing when signed out. */
export function UserButton({
  signOutAction,
  administers = false,
  detailed = false,
  links = [],
  onSignedOut,
}: UserButtonProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('userButton')
  const t = useText()
  const user = useSession().data?.user
  if (!user) return null
  return (
    <Menu
      id="tg-user-menu"
      label={t(texts.open, { name: user.name || user.email })}
      wide={detailed}
      button={
        <>
          <Avatar name={user.name || user.email} image={user.image} />
          {/* The button's label has the name too. */}
          {detailed ? (
            <span data-tg="switcher-name" aria-hidden="true">
              <strong>{user.name || user.email}</strong>
              {isPlaceholder(user.email) || !user.name ? null : <span>{user.email}</span>}
            </span>
          ) : null}
          {detailed ? <Opens /> : null}
        </>
      }
    >
      <div data-tg="menu-head">
        <strong>{user.name}</strong>
        {isPlaceholder(user.email) ? null : <span>{user.email}</span>}
      </div>
      <a href={paths.account} data-tg="menu-item">
        {texts.manage}
      </a>
      {administers ? (
        <a href={paths.admin} data-tg="menu-item">
          {texts.administration}
        </a>
      ) : null}
      {links.map(({ label, href }) => (
        <a key={href} href={href} data-tg="menu-item">
          {label}
        </a>
      ))}
      <SignOutForm
        {...(signOutAction ? { action: signOutAction } : {})}
        {...(onSignedOut ? { onSignedOut } : {})}
        className="menu-item"
      />
    </Menu>
  )
}
