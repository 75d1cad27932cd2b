import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'

/** A list of names and values. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className="facts">{children}</dl>

/** One of them; renders nothing without a value. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

type DataProps = { title: string; none: string; data: Readonly<Record<string, unknown>>; actions?: ReactNode }

/** A map with custom keys, such as metadata. */
export function DataPanel({ title, none, data, actions }: DataProps) {
  const entries = Object.entries(data)
  return (
    <Panel title={title} actions={actions}>
      {entries.length === 0 ? <p className="quiet panel-text">{none}</p> : null}
      {entries.length > 0 ? (
        <dl className="facts data">
          {entries.map(([name, value]) => (
            <Fact key={name} label={name}>
              <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
            </Fact>
          ))}
        </dl>
      ) : null}
    </Panel>
  )
}
