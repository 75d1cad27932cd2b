import { ActionIcon, Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { TimelineItem } from '@tollgate/contract/billing-types'
import { useId, useState } from 'react'
import { useDashboard } from '../context.ts'
import { momentText } from '../parts/time.tsx'
import { answerOf } from '../queries/answer.ts'
import { sentenceOf } from '../seller/activity/activity-text.ts'
import styles from './clock.module.css'
import { clockWords as words } from './clock.texts.ts'

/** What `POST /dev/clock` is asked for. */
const moves = { day: { advance: 'P1D' }, month: { advance: 'P1M' }, next: { next: true } } as const
type Move = keyof typeof moves
const names = Object.keys(moves) as Move[] // its own keys

type Moved = { readonly now: string; readonly events: readonly TimelineItem[] }

/** The most events that are listed after a move. */
const mostEvents = 8

/** The clock of a development server: moves it ahead, and lists what happened on the way. */
export function DevelopmentClock() {
  const { now } = useDashboard()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size={32} aria-label={words.title} popoverTarget={id}>
        <IconClock size={18} stroke={1.6} />
      </ActionIcon>
      <section
        id={id}
        popover="auto"
        aria-label={words.title}
        className={styles.panel}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen ? <ClockPanel openedAt={new Date(now()).toISOString()} /> : null}
      </section>
    </>
  )
}

function ClockPanel({ openedAt }: { openedAt: string }) {
  const { mutate, data, error, isPending, variables } = useMove()
  return (
    <>
      <p>
        <strong>{momentText(data?.now ?? openedAt)}</strong>
        <span className="quiet block">{words.text}</span>
      </p>
      <div className={styles.moves}>
        {names.map((name) => (
          <Button
            key={name}
            variant="default"
            size="compact-sm"
            aria-disabled={isPending || undefined}
            onClick={() => !isPending && mutate(name)}
          >
            {isPending && variables === name ? words.moving : words.moves[name]}
          </Button>
        ))}
      </div>
      <div role="alert">{error ? <p className="wrong">{error.message}</p> : null}</div>
      <div role="status">{data ? <Happened {...data} /> : null}</div>
    </>
  )
}

/** What happened on the way to the new time, newest first. */
function Happened({ events }: Moved) {
  if (events.length === 0) return <p className="quiet">{words.nothing}</p>
  return (
    <>
      <p className="quiet">{words.happened}</p>
      <ul className={styles.events}>
        {events.map((event) => (
          <li key={event.id}>
            {sentenceOf(event)} <span className="quiet block">{momentText(event.createdAt)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Moves the server's clock; the page then reads everything again. */
function useMove() {
  const { origin, billing, queries, props, now, setNow } = useDashboard()
  return useMutation({
    mutationFn: async (move: Move): Promise<Moved> => {
      const before = new Date(now()).toISOString()
      const answer = await fetch(`${origin}/dev/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...moves[move], keepSessions: true }),
      })
      if (!answer.ok) throw new Error(words.failed)
      const moved = (await answer.json()) as { now: string } // the server's own answer
      setNow(moved.now)
      const mayRead = props.seller?.permissions.customer?.includes('read')
      const { items } = mayRead
        ? await answerOf(billing.listTimeline({ startTimestamp: before, limit: mostEvents }))
        : { items: [] }
      return { now: moved.now, events: items }
    },
    onSuccess: () => void queries.invalidateQueries(),
  })
}
