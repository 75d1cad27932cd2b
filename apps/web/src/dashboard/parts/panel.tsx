import { type ReactNode, useId } from 'react'

type Props = { title: string; count?: number | undefined; actions?: ReactNode; children: ReactNode }

/** A part of a page, with a hairline around it. */
export function Panel({ title, count, actions, children }: Props) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>
          {title}
          {count === undefined ? null : <span className="count">{count}</span>}
        </h2>
        {actions ? <div className="actions">{actions}</div> : null}
      </div>
      {children}
    </section>
  )
}
