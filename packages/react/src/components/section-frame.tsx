import type { ReactNode } from 'react'
import { LiveRegions } from '../elements/screen.tsx'

/** A section of the account: its heading, the live regions of the page, and its cards. */
export function SectionFrame({
  title,
  text,
  alert,
  status,
  onAttempt,
  children,
}: {
  title: ReactNode
  text?: ReactNode
  alert?: ReactNode
  status?: ReactNode
  /** A form of the section is sent, or would be if nothing were missing in it. */
  onAttempt?: () => void
  children: ReactNode
}) {
  return (
    <section data-tg="section" data-tg-screen="" aria-labelledby="tg-title" onSubmitCapture={onAttempt}>
      <h1 id="tg-title" data-tg="title" tabIndex={-1}>
        {title}
      </h1>
      {text ? <p data-tg="lead">{text}</p> : null}
      <LiveRegions alert={alert} status={status} />
      {children}
    </section>
  )
}

/** One matter of a section, with a heading of its own. */
export function Panel({ title, tone, children }: { title: ReactNode; tone?: 'danger'; children: ReactNode }) {
  return (
    <div data-tg="panel" data-tone={tone}>
      <h2 data-tg="section-title">{title}</h2>
      {children}
    </div>
  )
}
