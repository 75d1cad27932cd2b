import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useTollgateContext } from '../provider.tsx'
import { GateMark } from './gate-mark.tsx'

/**
 * The two live regions of a page, there from the start so that screen readers hear what is put into them.
 * Both are visible: what is announced is what is seen.
 */
export function LiveRegions({ alert, status }: { alert?: ReactNode; status?: ReactNode }) {
  return (
    <>
      <div role="alert" tabIndex={-1} data-tg="region">
        {alert ? (
          <div data-tg="notice" data-tone="danger">
            {alert}
          </div>
        ) : null}
      </div>
      <div role="status" data-tg="region">
        {status ? (
          <div data-tg="notice" data-tone="ok">
            {status}
          </div>
        ) : null}
      </div>
    </>
  )
}

export type ScreenProps = {
  title: string
  /** One or two sentences under the title. */
  text?: ReactNode
  alert?: ReactNode
  status?: ReactNode
  /** True once it is done: the gate opens. */
  open?: boolean
  /** False where the page shows the mark already; on a page of an organization, its mark. Default: that around it. */
  brand?: ReactNode
  children?: ReactNode
  /** Under the form, e.g. the way to sign up. */
  footer?: ReactNode
}

/** The mark at the head of each `Screen` below; `true` is the installation's own. */
export const ScreenBrand = createContext<ReactNode>(true)

/** The mark and name of the installation. */
function Installation({ open }: { open: boolean | undefined }) {
  const { appName, logo } = useTollgateContext()
  return (
    <>
      {logo ?? <GateMark open={open} />}
      {appName ? <span>{appName}</span> : null}
    </>
  )
}

/** A card with the mark, a title, the live regions and what is put into it: the frame of each small page. */
export function Screen({ title, text, alert, status, open, brand: own, children, footer }: ScreenProps) {
  const around = useContext(ScreenBrand)
  const brand = own ?? around
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(title)

  // Another title means that the page has become another one in place: the focus was on what is gone now.
  useEffect(() => {
    if (shown.current !== title) heading.current?.focus()
    shown.current = title
  }, [title])

  return (
    <section data-tg="card" data-tg-screen="" aria-labelledby="tg-title">
      {brand ? <div data-tg="brand">{brand === true ? <Installation open={open} /> : brand}</div> : null}
      <h1 ref={heading} id="tg-title" data-tg="title" tabIndex={-1}>
        {title}
      </h1>
      {text ? <p data-tg="lead">{text}</p> : null}
      <LiveRegions alert={alert} status={status} />
      {children}
      {footer ? <div data-tg="card-footer">{footer}</div> : null}
    </section>
  )
}
