import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ListQuery } from '../queries/billing.ts'
import { texts } from '../texts.ts'
import { useChanges } from '../use-changes.ts'
import styles from './news.module.css'

/**
 * How often a list asks whether something new is there, while no stream says so. It does not while its window is hidden.
 */
const every = 30_000

type Props<Item> = {
  /** The list's objects, by their name in events; undefined for a list without events. */
  object: string | undefined
  /** The rows that were created after a moment. */
  query: (since: string) => ListQuery<Item>
  /** When the newest row of the list was created. */
  since: string
  one: string
  many: string
  onShow: () => void
}

/**
 * Says how many rows have come since a list was loaded, and shows them on request: a list never moves by itself while its
 * reader aims at a row.
 */
export function News<Item>({ object, query, since, one, many, onShow }: Props<Item>) {
  const { isCovered, changes } = useChanges(object ? [object] : [])
  // The first answer is due after the first interval.
  const { data, refetch } = useQuery({
    ...query(justAfter(since)),
    initialData: nothing,
    staleTime: every,
    refetchInterval: isCovered ? false : every,
  })
  const seen = useRef(changes)
  useEffect(() => {
    if (seen.current === changes) return
    seen.current = changes
    void refetch()
  }, [changes, refetch])
  const count = data.pagination.totalCount ?? 0
  return (
    <div className={styles.news} role="status">
      {count > 0 ? (
        <Button size="compact-md" onClick={onShow}>
          {texts.list.news(count, count === 1 ? one : many)}
        </Button>
      ) : null}
    </div>
  )
}

const nothing = { items: [], pagination: { totalCount: 0, nextCursor: null } }

/** Bounds include their moment. */
const justAfter = (moment: string): string => new Date(Date.parse(moment) + 1).toISOString()
