import { TextInput } from '@mantine/core'
import { IconCheck, IconSearch, IconSelector } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useSeller } from './context.ts'
import { OwnPicture } from './parts/own-picture.tsx'
import styles from './switcher.module.css'
import { texts } from './texts.ts'

/** From so many organizations on they can be searched. */
const searchable = 9

/** The organization of the page, and a panel of links to the viewer's others: each has a document of its own. */
export function OrganizationSwitcher() {
  const { organization, organizations, props } = useSeller()
  const [search, setSearch] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  const { shell } = texts
  const wanted = search.trim().toLowerCase()
  const matching = organizations.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted))
  return (
    <>
      <button type="button" className={`switcher ${styles.switcher}`} popoverTarget={id}>
        <OwnPicture name={organization.name} image={organization.logo} />
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
          {matching.map(({ id: each, name, slug, sells }) => (
            <li key={each}>
              <a
                href={`/${sells ? 'dashboard' : 'org'}/${encodeURIComponent(slug)}`}
                className="nav-link"
                aria-current={each === organization.id ? 'true' : undefined}
              >
                <span className="one-line">{name}</span>
                {each === organization.id ? <IconCheck size={16} stroke={1.6} aria-hidden /> : null}
              </a>
            </li>
          ))}
        </ul>
        <ul className={styles.ways}>
          <li>
            <a href="/account/organizations" className="nav-link">
              {shell.allOrganizations}
            </a>
          </li>
          <li>
            <a href="/organizations/new" className="nav-link">
              {shell.createOrganization}
            </a>
          </li>
        </ul>
      </div>
    </>
  )
}
