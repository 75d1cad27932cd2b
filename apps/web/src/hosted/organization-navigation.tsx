import type { OrganizationFrame, PageName } from '@tollgate/contract/pages'
import { renderToStaticMarkup } from 'react-dom/server'
import {
  type PeoplePlace,
  type PlaceNames,
  type PlaceViewer,
  peopleGroup,
  placeAddress,
  type SellingPlace,
  sellingGroups,
} from '../organization-places.ts'
import type { ShownGroup } from './organization-shell.tsx'
import type { PageTexts } from './texts.ts'

/** The page of people that stands at each address. */
const pageOf: Readonly<Partial<Record<PeoplePlace['name'], PageName>>> = {
  summary: 'organization-overview',
  members: 'organization-members',
  invitations: 'organization-invitations',
  teams: 'organization-teams',
  roles: 'organization-roles',
  profile: 'organization-settings',
  audit: 'organization-audit',
  danger: 'organization-danger',
}

const viewerOf = ({ member, features, dashboard }: OrganizationFrame): PlaceViewer => ({
  permissions: member.permissions,
  teams: features.teams,
  maySell: dashboard !== undefined,
})

/** The pages that the viewer may see, by group, as the sidebar shows them. Only the server has the table of pages. */
export function shownGroups(
  frame: OrganizationFrame & { readonly page: PageName },
  { places }: PageTexts,
): readonly ShownGroup[] {
  const names: PlaceNames = places
  const { page, organization, dashboard, waitsForApproval } = frame
  const viewer = viewerOf(frame)
  const shown = ({ name, to }: SellingPlace | PeoplePlace) => ({
    name,
    label: names[name],
    href: placeAddress(to, organization.slug),
    ...(pageOf[name as PeoplePlace['name']] === page && { current: true }),
  })
  const groups = [...(dashboard || waitsForApproval ? sellingGroups(viewer) : []), peopleGroup(viewer)]
  return groups.map(({ title, places }) => ({ title: names[title], places: [...places].map(shown) }))
}

/** The icons of these pages, drawn once for the page, because the bundle of the browser holds no icons. */
export function drawnIcons(frame: OrganizationFrame): Readonly<Record<string, string>> {
  const viewer = viewerOf(frame)
  const places = [...sellingGroups(viewer), peopleGroup(viewer)].flatMap<SellingPlace | PeoplePlace>(
    ({ places }) => places,
  )
  return Object.fromEntries(
    places.map(({ name, icon: Icon }) => [name, renderToStaticMarkup(<Icon size={17} stroke={1.6} />)]),
  )
}
