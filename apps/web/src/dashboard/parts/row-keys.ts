import { useRef } from 'react'
import { useShortcut } from './shortcuts.ts'

/** Keys for the rows of a table: `j` and `k` go to the next and the previous one, `x` selects it. Enter follows its link. */
export function useRowKeys() {
  const table = useRef<HTMLDivElement>(null)
  const rows = () => [...(table.current?.querySelectorAll('tbody tr') ?? [])]
  const current = () => rows().findIndex((row) => row.contains(document.activeElement))
  const go = (step: number) => {
    const all = rows()
    const next = all[Math.min(Math.max(current() + step, 0), all.length - 1)]
    next?.querySelector<HTMLElement>('.row-link, td:not([data-cell="select"]) :is(a, button)')?.focus()
  }
  useShortcut('j', () => go(1))
  useShortcut('k', () => go(-1))
  useShortcut('x', () => rows()[current()]?.querySelector<HTMLElement>('[data-cell="select"] input')?.click())
  return table
}
