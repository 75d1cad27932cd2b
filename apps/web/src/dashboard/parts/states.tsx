import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDashboard } from '../context.ts'
import { CallError } from '../queries/answer.ts'
import { texts } from '../texts.ts'
import { Copyable } from './copy.tsx'
import { PageHead } from './page-head.tsx'

/** Stands where a list would be: what is missing, and what to do about it. */
export function Empty({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="empty">
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
  /** The permission of the organization that it takes, such as `product:read`. */
  needs?: string | undefined
  /** Leads to the first page of the list, where the address names a page of it. */
  toFirst?: (() => void) | undefined
}

/** Stands where data would be that could not be had. */
export function Failure({ error, retry, needs, toFirst }: FailureProps) {
  const { props } = useDashboard()
  const refused = error instanceof CallError ? error : undefined
  const organization = props.seller?.organization.name ?? ''
  // A cursor that means nothing, or not any more: asking again would not help.
  if (toFirst && (refused?.status === 400 || refused?.status === 422)) {
    return (
      <div className="empty" role="alert">
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
    <div className="empty" role="alert">
      <p>
        <strong>{refused?.status === 403 ? texts.failure.forbidden : texts.failure.title}</strong>
      </p>
      <p className="quiet">
        {refused?.status === 403 && needs ? texts.failure.needs(needs, organization) : error.message}
      </p>
      {refused?.code ? <p className="quiet mono">{texts.failure.code(refused.code)}</p> : null}
      {refused?.requestId ? <Copyable text={refused.requestId} what={texts.failure.requestId} /> : null}
      <Button variant="default" size="compact-md" onClick={retry}>
        {texts.failure.retry}
      </Button>
    </div>
  )
}

/** Above data that is old, because it could not be read again. */
export function Stale({ retry }: { retry: () => void }) {
  return (
    <div className="notice" data-tone="warn" role="status">
      <span>{texts.failure.stale}</span>
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

/** Holds the place of what is on its way; drawn only after a moment, since most answers are quicker. */
export function Waiting({ label, rows = 3, tall }: WaitingProps) {
  return (
    <div className="waiting" data-waiting="" data-tall={tall || undefined}>
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing but their position
        <div key={row} className="waiting-row" aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}

/** For addresses that are none of ours. */
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

/** For faults of our own, such as a chunk that is gone since a new version was put in place. */
export function BrokenPage({ error }: ErrorComponentProps) {
  return (
    <div className="empty" role="alert">
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
