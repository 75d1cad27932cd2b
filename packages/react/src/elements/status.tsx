import type { ReactNode } from 'react'
import type { Tone } from './small.tsx'

/** A dot and a word; the word carries the meaning, the dot only helps to find it. */
export function Badge({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span data-tg="badge" data-tone={tone}>
      {children}
    </span>
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
