import type { ButtonHTMLAttributes, ReactNode } from 'react'

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** One primary button for each view. */
  look?: 'primary' | 'secondary' | 'danger' | 'danger-outline' | 'quiet'
  /** While true the label is `busyLabel`, and presses are ignored; the button keeps the focus. */
  busy?: boolean
  busyLabel?: ReactNode
  /** Not to be pressed now, for a reason that the label says; the button keeps the focus. */
  waiting?: boolean
  /** As wide as its container. */
  wide?: boolean
}

/** A real button that is never natively disabled, because that would take the focus away. */
export function Button({
  look = 'secondary',
  busy,
  busyLabel,
  waiting,
  wide,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const off = busy || waiting
  return (
    <button
      type="button"
      {...rest}
      data-tg="button"
      data-look={look}
      data-wide={wide || undefined}
      aria-disabled={off || undefined}
      onClick={off ? (event) => event.preventDefault() : onClick}
    >
      {busy ? (
        <>
          <span data-tg="spinner" aria-hidden="true" />
          {busyLabel}
        </>
      ) : (
        children
      )}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  look = 'secondary',
  wide,
  children,
}: {
  href: string
  look?: ButtonProps['look']
  wide?: boolean
  children: ReactNode
}) {
  return (
    <a href={href} data-tg="button" data-look={look} data-wide={wide || undefined}>
      {children}
    </a>
  )
}
