import { Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import { useAdministration, useDashboard } from '../../context.ts'
import { BillingTable, type Column, type Filter } from '../../parts/billing-table.tsx'
import { createdColumn, useListSearch } from '../../parts/list-page.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Dot, type Tone } from '../../parts/status.tsx'
import { number } from '../../texts.ts'
import { organizations as words } from '../texts.ts'
import { organizations, type Standing, standings } from './organizations.resource.ts'

/** All organizations; the server searches and sorts, page by page. */
export function OrganizationsPage() {
  const { client } = useDashboard()
  const { features } = useAdministration()
  const search = useListSearch(organizations)
  const standing: Filter = {
    name: 'selling',
    label: words.columns.selling,
    value: search.selling,
    all: words.everyStanding,
    options: standings.map((value) => ({ value, label: words.standings[value] })),
  }
  return (
    <>
      <PageHead title={words.title} />
      <BillingTable
        words={words}
        search={search}
        sorts={words.sorts}
        query={(address) => organizations.pageQuery(client, address as typeof search)} // the address of this very list
        columns={columns.filter(({ name }) => name !== 'selling' || features.selling)}
        filters={features.selling ? [standing] : []}
        look="organizations"
      />
    </>
  )
}

const tones = { approved: 'ok', waiting: 'warn', none: 'plain' } as const satisfies Record<Standing, Tone>

type Listed = Answer<'adminListOrganizations'>['organizations'][number]

const columns: readonly Column<Listed, keyof typeof words.sorts>[] = [
  {
    name: 'name',
    label: words.columns.name,
    sorts: ['name', '-name'],
    cell: ({ id, name }, cameFrom) => (
      <Link
        to="/admin/organizations/$organizationId"
        params={{ organizationId: id }}
        state={cameFrom}
        className="row-link"
      >
        {name}
      </Link>
    ),
  },
  { name: 'slug', label: words.columns.slug, cell: ({ slug }) => slug },
  {
    name: 'members',
    label: words.columns.members,
    cell: ({ memberCount }) => (
      <>
        {number.format(memberCount)}
        <span className="only-narrow"> {memberCount === 1 ? words.member : words.members}</span>
      </>
    ),
  },
  {
    name: 'selling',
    label: words.columns.selling,
    cell: ({ selling }) => <Dot tone={tones[selling]}>{words.standings[selling]}</Dot>,
  },
  createdColumn(words.columns.created),
]
