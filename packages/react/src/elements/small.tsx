import { type ReactNode, useEffect, useState } from 'react'
import { useMessages } from '../provider.tsx'

export type Tone = 'info' | 'ok' | 'warn' | 'danger'

/** A boxed message that is part of the page. It is not announced: what must be goes into the live regions. */
export function Alert({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div data-tg="notice" data-tone={tone}>
      {children}
    </div>
  )
}

/** A surface with a hairline around it. */
export function Card({ children }: { children: ReactNode }) {
  return <div data-tg="card">{children}</div>
}

/** A hairline, with words in the middle when there are any. */
export function Divider({ children }: { children?: ReactNode }) {
  return children ? <div data-tg="divider">{children}</div> : <hr data-tg="divider" />
}

/** The stripe at the top of everything that is not real. Says so in words too. */
export function HazardStripe({ text }: { text?: string | undefined }) {
  const { sandbox } = useMessages('common')
  return (
    <div data-tg="stripe" role="note">
      <span data-tg="visually-hidden">{text ?? sandbox}</span>
    </div>
  )
}

/** A button that copies a text and says that it has. */
export function Copy({ text, label }: { text: string; label?: ReactNode }) {
  const texts = useMessages('common')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      data-tg="button"
      data-look="quiet"
      onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span aria-live="polite">{copied ? texts.copied : (label ?? texts.copy)}</span>
    </button>
  )
}
