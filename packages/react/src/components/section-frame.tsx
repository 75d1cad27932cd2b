import { createContext, type ReactNode, useEffect, useRef } from 'react'
import { LiveRegions } from '../elements/screen.tsx'

/** What the section refused last: a dialog above it says so too. */
export const SectionAlert = createContext<ReactNode>(undefined)

/** A section of the account: its heading, the live regions of the page, and its cards. */
export function SectionFrame({
  title,
  text,
  alert,
  status,
  showsStatus,
  onAttempt,
  children,
}: {
  title: ReactNode
  text?: ReactNode
  alert?: ReactNode
  status?: ReactNode
  /** The buttons of the section may be far below what they lead to: what is new there is brought into view. */
  showsStatus?: boolean
  /** A form of the section is sent, or would be if nothing were missing in it. */
  onAttempt?: () => void
  children: ReactNode
}) {
  const section = useRef<HTMLElement>(null)
  const shown = useRef(status)

  // The focus stays where it is: the next press is likely to be near the last one.
  useEffect(() => {
    const isNew = status !== undefined && status !== shown.current
    if (showsStatus && isNew) section.current?.querySelector('[role=status]')?.scrollIntoView({ block: 'nearest' })
    shown.current = status
  }, [showsStatus, status])

  return (
    <section data-tg="section" data-tg-screen="" aria-labelledby="tg-title" onSubmitCapture={onAttempt} ref={section}>
      <h1 id="tg-title" data-tg="title" tabIndex={-1}>
        {title}
      </h1>
      {text ? <p data-tg="lead">{text}</p> : null}
      <LiveRegions alert={alert} status={status} />
      <SectionAlert value={alert}>{children}</SectionAlert>
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
