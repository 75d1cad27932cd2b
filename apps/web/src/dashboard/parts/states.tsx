import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDashboard } from '../context.ts'
import { CallError, isOffline } from '../queries/answer.ts'
import { texts } from '../texts.ts'
import { Copyable } from './copy.tsx'
import { PageHead } from './page-head.tsx'
import styles from './states.module.css'

/** An empty state: what is missing, and what to do. */
export function Empty({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>
        <strong>{title}</strong>
      </p>
      {text ? <p className="quiet">{text}</p> : null}
      {children}
    </div>
  )
}

type FailureProps = {
  error: Error
  retry: () => void
  /** The required organization permission, such as `product:read`. */
  needs?: string | undefined
  /** A link to the list's first page, if the address names another one. */
  toFirst?: (() => void) | undefined
}

/** Replaces data that failed to load. */
export function Failure({ error, retry, needs, toFirst }: FailureProps) {
  const { props } = useDashboard()
  const refused = error instanceof CallError ? error : undefined
  const organization = props.seller?.organization.name ?? ''
  // An invalid or outdated cursor: a retry would not help.
  if (toFirst && (refused?.status === 400 || refused?.status === 422)) {
    return (
      <div className={styles.empty} role="alert">
        <p>
          <strong>{texts.failure.noPage}</strong>
        </p>
        <p className="quiet">{texts.failure.noPageText}</p>
        <Button variant="default" size="compact-md" onClick={toFirst}>
          {texts.pager.first}
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.empty} role="alert">
      <p>
        <strong>{titleOf(refused)}</strong>
      </p>
      <p className="quiet">
        {refused?.status === 403 && needs ? texts.failure.needs(needs, organization) : reasonOf(error, refused)}
      </p>
      {refused?.code ? <p className="quiet mono">{texts.failure.code(refused.code)}</p> : null}
      {refused?.requestId ? <Copyable text={refused.requestId} what={texts.failure.requestId} /> : null}
      <Button variant="default" size="compact-md" onClick={retry}>
        {texts.failure.retry}
      </Button>
    </div>
  )
}

function titleOf(refused: CallError | undefined): string {
  if (refused?.status === 403) return texts.failure.forbidden
  return isOffline() ? texts.failure.offline : texts.failure.title
}

function reasonOf(error: Error, refused: CallError | undefined): string {
  if (isOffline()) return texts.failure.offlineText
  // What the server says of its own fault is for its log.
  return refused?.requestId && refused.status >= 500 ? texts.failure.server : error.message
}

/** Above outdated data that failed to refresh. */
export function Stale({ retry }: { retry: () => void }) {
  return (
    <div className="notice" data-tone="warn" role="status">
      <span>{isOffline() ? texts.failure.offlineStale : texts.failure.stale}</span>
      <Button variant="default" size="compact-sm" onClick={retry}>
        {texts.failure.retry}
      </Button>
    </div>
  )
}

type WaitingProps = {
  label: string
  rows?: number
  /** As high as rows with a second line. */
  tall?: boolean
}

/** A placeholder while data loads; it appears after a delay, since most answers are faster. */
export function Waiting({ label, rows = 3, tall }: WaitingProps) {
  return (
    <div className={styles.waiting} data-waiting="" data-tall={tall || undefined}>
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing but their position
        <div key={row} className={styles.waitingRow} aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}

/** A placeholder in a cell whose value comes after its row. */
export const CellWaiting = () => <span className={styles.waitingCell} aria-hidden="true" />

/** For unknown addresses. */
export function NotFoundPage() {
  const { seller } = useDashboard().props
  const { title, text } = texts.shell.notFound
  return (
    <>
      <PageHead title={title} text={text} />
      {seller ? (
        <Link to="/dashboard/$slug" params={{ slug: seller.organization.slug }} className="link">
          {texts.shell.toOverview}
        </Link>
      ) : (
        <Link to="/admin/users" className="link">
          {texts.shell.toUsers}
        </Link>
      )}
    </>
  )
}

/** For our own faults, such as a missing chunk after an update. */
export function BrokenPage({ error }: ErrorComponentProps) {
  return (
    <div className={styles.empty} role="alert">
      <p>
        <strong>{texts.failure.brokenTitle}</strong>
      </p>
      <p className="quiet">{texts.failure.broken}</p>
      <p className="quiet mono">{String(error)}</p>
      <Button variant="default" size="compact-md" onClick={() => location.reload()}>
        {texts.failure.reload}
      </Button>
    </div>
  )
}
