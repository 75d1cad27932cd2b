import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconTerminal2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Session, SessionUser } from '@tollgate/contract/types'
import { type Device, deviceOf } from '@tollgate/react'
import { useRef } from 'react'
import { useDashboard } from '../../context.ts'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { userSessionsQuery } from '../../queries/users.ts'
import { user as userWords } from '../texts.ts'

const words = userWords.sessions

/** A user's sessions, with buttons to revoke them. */
export function SessionsPanel({ user, onEndAll }: { user: SessionUser; onEndAll: () => void }) {
  const { client, queries } = useDashboard()
  const { data, error, refetch } = useQuery(userSessionsQuery(client, user.id))
  const list = useRef<HTMLUListElement>(null)
  const end = useMutation({
    mutationFn: ({ token }: Session) => answerOf(client.adminRevokeUserSession({ sessionToken: token })),
    onSuccess: async (_, session) => {
      const place = data?.sessions.indexOf(session) ?? 0
      notifications.show({ message: words.ended })
      await queries.invalidateQueries()
      // The button disappears with its row: focus moves to the next one, or else to the panel's button.
      const buttons = list.current?.querySelectorAll<HTMLElement>('button') ?? []
      const panel = list.current?.closest('section')
      ;(buttons[Math.min(place, buttons.length - 1)] ?? panel?.querySelector<HTMLElement>('button, h2'))?.focus()
    },
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
  return (
    <Panel
      title={words.title}
      count={data?.sessions.length}
      actions={
        data && data.sessions.length > 0 ? (
          <Button variant="default" size="compact-sm" onClick={onEndAll}>
            {words.endAll}
          </Button>
        ) : null
      }
    >
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={2} /> : null}
      {data?.sessions.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ul className="rows" ref={list}>
        {data?.sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={end.isPending && end.variables.id === session.id}
            onEnd={() => !end.isPending && end.mutate(session)}
          />
        ))}
      </ul>
    </Panel>
  )
}

const icons = {
  desktop: IconDeviceDesktop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  program: IconTerminal2,
} as const satisfies Record<Device['kind'], unknown>

function SessionRow({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: () => void }) {
  const device = deviceOf(session.userAgent)
  const name = deviceName(device)
  const Icon = icons[device.kind]
  return (
    <li>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className="grow">
        <strong>{name}</strong>
        {session.impersonatedBy ? <span className="chip">{words.impersonated}</span> : null}
        <span className="quiet block">
          {words.active} <Ago at={session.updatedAt} />
          {session.ipAddress ? ` · ${session.ipAddress}` : ''}
        </span>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={words.endNamed(name)}
        aria-disabled={busy || undefined}
        onClick={onEnd}
      >
        {words.end}
      </Button>
    </li>
  )
}

/** "Chrome 141 on Windows", or the known part. */
function deviceName({ browser, system }: Device): string {
  if (system) return words.device(browser ?? words.unknownBrowser, system)
  return browser ?? words.unknownDevice
}
