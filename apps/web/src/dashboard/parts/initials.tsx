import { initials } from '@tollgate/react'

/**
 * The initials of a name. Never a picture: the user chooses its address, and its server would learn when and from
 * where an administrator views the user.
 */
export function Initials({ name, large }: { name: string; large?: boolean }) {
  return (
    <span className="initials" data-large={large || undefined} aria-hidden="true">
      {initials(name)}
    </span>
  )
}
