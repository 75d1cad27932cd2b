import { TextInput } from '@mantine/core'
import { IconCheck, IconSearch, IconSelector } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useSeller } from './context.ts'
import { Initials } from './parts/initials.tsx'
import styles from './switcher.module.css'
import { texts } from './texts.ts'

/** From so many organizations on they can be searched. */
const searchable = 9

/** The organization that one sells for, and a panel of links to the others: each has a document of its own. */
export function OrganizationSwitcher() {
  const { organization, organizations, props, administers } = useSeller()
  const [search, setSearch] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  const { shell } = texts
  const wanted = search.trim().toLowerCase()
  const matching = organizations.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted))
  return (
    <>
      <button type="button" className={`switcher ${styles.switcher}`} popoverTarget={id}>
        <Initials name={organization.name} />
        <span>
          <strong>{organization.name}</strong>
          <small>{props.appName}</small>
        </span>
        <span className="visually-hidden">, {shell.switcher}</span>
        <IconSelector size={16} stroke={1.6} aria-hidden />
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        className={styles.panel}
        onToggle={(event) => {
          if (event.newState === 'open') panel.current?.querySelector<HTMLElement>('input, a')?.focus()
        }}
      >
        {organizations.length >= searchable ? (
          <TextInput
            type="search"
            aria-label={shell.switcherSearch}
            placeholder={shell.switcherSearch}
            autoComplete="off"
            leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        {matching.length === 0 ? <p className="quiet">{shell.switcherNone}</p> : null}
        <ul>
          {matching.map(({ id: each, name, slug }) => (
            <li key={each}>
              <a
                href={`/dashboard/${encodeURIComponent(slug)}`}
                className="nav-link"
                aria-current={each === organization.id ? 'true' : undefined}
              >
                <span className="one-line">{name}</span>
                {each === organization.id ? <IconCheck size={16} stroke={1.6} aria-hidden /> : null}
              </a>
            </li>
          ))}
        </ul>
        {administers ? (
          <ul className={styles.ways}>
            <li>
              <a href="/admin" className="nav-link">
                {shell.toAdministration}
              </a>
            </li>
          </ul>
        ) : null}
      </div>
    </>
  )
}
