import { revokeOtherSessions, revokeSession } from '@tollgate/contract/forms'
import type { Session } from '@tollgate/contract/types'
import { useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../elements/overlay.tsx'
import { Badge, Skeleton } from '../elements/status.tsx'
import type { FormState } from '../form-state.ts'
import { useErrorText } from '../hooks/use-error-text.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { type Read, useGiven } from '../hooks/use-given.ts'
import { useRowFocus } from '../hooks/use-row-focus.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { type Device, deviceOf } from './device-name.ts'
import { Hidden, Submit } from './form-parts.tsx'
import { SectionFrame } from './section-frame.tsx'
import { DateTime, RelativeTime } from './time.tsx'

type Props = {
  given: readonly Session[] | undefined
  currentSessionId: string | undefined
  now: string | undefined
  state: FormState | undefined
}

const readSessions: Read<Session[]> = (client, signal) => client.listSessions(undefined, { signal })

/** Every device that is signed in, and the ways to sign them out. */
export function SessionsSection({ given, currentSessionId, now, state }: Props) {
  const { paths } = useTollgateContext()
  const texts = useMessages('sessions')
  const { data: sessions, setData: setSessions, failed, retry } = useGiven(given, readSessions)
  const [asking, setAsking] = useState(false)
  const errorText = useErrorText()
  const sent = state?.form === 'revoke-session' || state?.form === 'revoke-other-sessions' ? state : undefined
  const [outcome, setOutcome] = useState<FormState>(sent ?? {})
  const [list, rowGone] = useRowFocus()

  const others = useFormOf(revokeOtherSessions, {
    state,
    onSend: () => setAsking(false),
    onSuccess: () => setSessions((list) => list?.filter((session) => session.id === currentSessionId)),
    report: (result) => {
      setOutcome(result ?? {})
      // The whole form goes away with the last other device.
      if (result?.done) rowGone(0)
      return result
    },
  })

  function onRevoked(result: FormState, session: Session) {
    setOutcome(result)
    if (!result.done) return
    // The button that was pressed goes away with its row: the next row's takes the focus, else the heading.
    const at = ordered.indexOf(session)
    setSessions((list) => list?.filter(({ id }) => id !== session.id))
    rowGone(at)
  }

  const ordered = inOrder(sessions ?? [], currentSessionId)
  const notices = { 'session-revoked': texts.ended, 'sessions-revoked': texts.othersEnded } as Partial<
    Record<string, string>
  >

  return (
    <SectionFrame
      title={texts.title}
      text={texts.text}
      alert={failed ? texts.loadFailed : outcome.code ? errorText(outcome.code, outcome) : undefined}
      status={notices[outcome.done ?? '']}
    >
      <div data-tg="panel">
        {failed ? <Button onClick={retry}>{texts.retry}</Button> : null}
        {!sessions && !failed ? <Skeleton label={texts.loading} /> : null}
        <ul data-tg="rows" ref={list}>
          {ordered.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              current={session.id === currentSessionId}
              now={now}
              onRevoked={(result) => onRevoked(result, session)}
            />
          ))}
        </ul>
        {sessions && sessions.length < 2 ? <p data-tg="hint">{texts.onlyThis}</p> : null}
      </div>

      {ordered.length > 1 ? (
        <form {...others.props} action={paths.sessions} id="revoke-others">
          <Hidden form={others.name} />
          {/* Without JavaScript the button posts at once; with it, it asks first. */}
          <Submit
            form={others}
            look="secondary"
            busyLabel={texts.signingOut}
            onClick={(event) => {
              event.preventDefault()
              setAsking(true)
            }}
          >
            {texts.signOutOthers}
          </Submit>
        </form>
      ) : null}
      <Dialog open={asking} onClose={() => setAsking(false)} title={texts.signOutOthersTitle}>
        <p>{texts.signOutOthersText}</p>
        <div data-tg="actions">
          <Button look="primary" type="submit" form="revoke-others">
            {texts.signOutOthers}
          </Button>
          <Button onClick={() => setAsking(false)}>{texts.keep}</Button>
        </div>
      </Dialog>
    </SectionFrame>
  )
}

type RowProps = {
  session: Session
  current: boolean
  now: string | undefined
  onRevoked: (outcome: FormState) => void
}

function SessionRow({ session, current, now, onRevoked }: RowProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('sessions')
  const t = useText()
  const device = deviceOf(session.userAgent)
  const name = useDeviceName(device)
  const form = useFormOf(revokeSession, {
    state: undefined,
    report: (result) => {
      onRevoked(result ?? {})
      return {}
    },
  })
  return (
    <li data-tg="session">
      <DeviceIcon kind={device.kind} />
      <div>
        <strong>{name}</strong> {current ? <Badge tone="ok">{texts.thisDevice}</Badge> : null}
        <p data-tg="hint">
          <span>
            {current
              ? texts.activeNow
              : t.rich(texts.lastActive, { when: <RelativeTime at={session.updatedAt} now={now} /> })}
          </span>
          <span>{t.rich(texts.signedIn, { date: <DateTime at={session.createdAt} /> })}</span>
          {session.ipAddress ? <span>{t(texts.address, { address: session.ipAddress })}</span> : null}
        </p>
      </div>
      {current ? null : (
        <form {...form.props} action={paths.sessions}>
          <Hidden form={form.name} token={session.token} />
          <Submit
            form={form}
            look="secondary"
            busyLabel={texts.signingOut}
            aria-label={t(texts.signOutNamed, { device: name })}
          >
            {texts.signOutOne}
          </Submit>
        </form>
      )}
    </li>
  )
}

/** "Chrome 141 on Windows", or as much of it as is known. */
function useDeviceName({ browser, system }: Device): string {
  const texts = useMessages('sessions')
  const t = useText()
  if (browser && system) return t(texts.device, { browser, system })
  return browser ?? (system ? t(texts.device, { browser: texts.unknownBrowser, system }) : texts.unknownDevice)
}

const outlines: Record<Device['kind'], string> = {
  desktop: 'M4 5h16v11H4zM9 20h6M12 16v4',
  phone: 'M8 3h8v18H8zM11 18h2',
  tablet: 'M6 3h12v18H6zM11 18h2',
  program: 'M4 5h16v14H4zM7 9l3 3-3 3M12 15h4',
}

function DeviceIcon({ kind }: { kind: Device['kind'] }) {
  return (
    <svg data-tg="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={outlines[kind]} />
    </svg>
  )
}

/** This device first, then by when they were last active. */
function inOrder(sessions: readonly Session[], currentSessionId: string | undefined): readonly Session[] {
  return sessions.toSorted((one, other) => {
    if (one.id === currentSessionId) return -1
    if (other.id === currentSessionId) return 1
    return other.updatedAt.localeCompare(one.updatedAt)
  })
}
