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

/** A dot and a word; the word carries the meaning, the dot only helps to find it. */
export function Badge({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span data-tg="badge" data-tone={tone}>
      {children}
    </span>
  )
}

/** The stripe at the top of everything that is not real. Says so in words too. */
export function HazardStripe() {
  const { sandbox } = useMessages('common')
  return (
    <div data-tg="stripe" role="note">
      <span data-tg="visually-hidden">{sandbox}</span>
    </div>
  )
}

/** Holds the place of what is still loading, and says so; drawn as so many rows of the final size. */
export function Skeleton({ rows = 3, label }: { rows?: number; label: string }) {
  return (
    <div data-tg="skeleton">
      <span data-tg="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing but their position
        <div key={row} data-tg="skeleton-row" aria-hidden="true" />
      ))}
    </div>
  )
}

/** A person's picture, or the first letters of the name. Decoration: the name stands beside it or in a label. */
export function Avatar({ name, image, large }: { name: string; image?: string | null; large?: boolean }) {
  const [broken, setBroken] = useState<string>()
  return (
    <span data-tg="avatar" data-large={large || undefined} aria-hidden="true">
      {image && broken !== image ? (
        <img src={image} alt="" referrerPolicy="no-referrer" onError={() => setBroken(image)} />
      ) : (
        initials(name)
      )}
    </span>
  )
}

/** "Ada Lovelace" → "AL", "ada" → "A"; by characters as people see them, so that no emoji is cut in two. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends.map((word) => [...word][0]!.toUpperCase()).join('')
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
