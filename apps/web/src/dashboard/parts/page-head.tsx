import { type ReactNode, useEffect, useRef } from 'react'
import { useDashboard } from '../context.ts'
import styles from './page-head.module.css'

type Props = {
  title: string
  /** Replaces the title if the heading has more than text. */
  heading?: ReactNode
  /** Above the heading: the way back. */
  above?: ReactNode
  text?: ReactNode
  actions?: ReactNode
}

let isFirstPage = true

/** A page's heading with its actions. It takes the focus, except on the first page. */
export function PageHead({ title, heading, above, text, actions }: Props) {
  const { props } = useDashboard()
  const element = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    if (!isFirstPage) element.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  useEffect(() => {
    document.title = `${title} · ${props.appName}`
  }, [title, props.appName])

  return (
    <div className={styles.head}>
      {above}
      <div className={styles.line}>
        <h1 ref={element} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {actions ? <div className="actions">{actions}</div> : null}
      </div>
      {text ? <p className="quiet">{text}</p> : null}
    </div>
  )
}
