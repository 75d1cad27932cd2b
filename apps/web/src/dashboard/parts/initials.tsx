import { initials } from '@tollgate/react'

/**
 * The first letters of a name. Never a picture: its address is the user's to choose, and whoever runs that address would
 * learn when and from where an administrator looks at them.
 */
export function Initials({ name, large }: { name: string; large?: boolean }) {
  return (
    <span className="initials" data-large={large || undefined} aria-hidden="true">
      {initials(name)}
    </span>
  )
}
