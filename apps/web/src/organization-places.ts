import {
  IconAdjustments,
  IconAlertTriangle,
  IconArrowBackUp,
  IconBuilding,
  IconBuildingBank,
  IconCreditCard,
  IconForms,
  IconGauge,
  IconHierarchy2,
  IconHistory,
  IconId,
  IconKey,
  IconLayoutDashboard,
  IconLink,
  IconMail,
  IconPackage,
  IconReceipt,
  IconReceiptTax,
  IconRefresh,
  IconShieldLock,
  IconTag,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'

/*
 * The navigation of an organization: one table for the pages of selling, which the dashboard draws, and for the pages of
 * people, which are hosted pages that work without a script. Both show all of it, so a new page is a row here and its
 * name in the locales.
 */

/** A page of an organization. */
type Row = {
  /** The key of its label. */
  readonly name: string
  readonly to: string
  readonly icon: typeof IconMail
  /** What follows `g` as a shortcut in the dashboard; the hosted pages have no shortcuts. */
  readonly key?: string
  /** The permission that the page needs; every member sees the others. */
  readonly needs?: readonly [resource: string, action: string]
  /** A part of organizations that an installation may be without. */
  readonly feature?: 'teams'
}

const selling = [
  {
    title: 'selling',
    places: [
      { name: 'overview', to: '/dashboard/$slug', icon: IconLayoutDashboard, key: 'h' },
      { name: 'activity', to: '/dashboard/$slug/activity', icon: IconHistory, key: 'a', needs: ['customer', 'read'] },
      { name: 'products', to: '/dashboard/$slug/products', icon: IconPackage, key: 'p', needs: ['product', 'read'] },
      { name: 'customers', to: '/dashboard/$slug/customers', icon: IconUsers, key: 'c', needs: ['customer', 'read'] },
      { name: 'orders', to: '/dashboard/$slug/orders', icon: IconReceipt, key: 'o', needs: ['order', 'read'] },
      {
        name: 'subscriptions',
        to: '/dashboard/$slug/subscriptions',
        icon: IconRefresh,
        key: 's',
        needs: ['subscription', 'read'],
      },
      { name: 'payments', to: '/dashboard/$slug/payments', icon: IconCreditCard, key: 'y', needs: ['order', 'read'] },
      { name: 'refunds', to: '/dashboard/$slug/refunds', icon: IconArrowBackUp, key: 'r', needs: ['order', 'read'] },
      { name: 'discounts', to: '/dashboard/$slug/discounts', icon: IconTag, key: 'd', needs: ['discount', 'read'] },
      {
        name: 'checkoutLinks',
        to: '/dashboard/$slug/checkout-links',
        icon: IconLink,
        key: 'l',
        needs: ['product', 'read'],
      },
      {
        name: 'customFields',
        to: '/dashboard/$slug/custom-fields',
        icon: IconForms,
        key: 'f',
        needs: ['product', 'read'],
      },
      { name: 'meters', to: '/dashboard/$slug/meters', icon: IconGauge, key: 'm', needs: ['meter', 'read'] },
    ],
  },
  {
    title: 'developers',
    places: [
      { name: 'tokens', to: '/dashboard/$slug/tokens', icon: IconKey, key: 't', needs: ['token', 'read'] },
      { name: 'webhooks', to: '/dashboard/$slug/webhooks', icon: IconWebhook, key: 'w', needs: ['webhook', 'read'] },
    ],
  },
  {
    title: 'organization',
    places: [
      {
        name: 'processors',
        to: '/dashboard/$slug/processors',
        icon: IconBuildingBank,
        key: 'x',
        needs: ['order', 'read'],
      },
      { name: 'tax', to: '/dashboard/$slug/tax', icon: IconReceiptTax, key: 'v' },
      { name: 'settings', to: '/dashboard/$slug/settings', icon: IconAdjustments, key: 'e' },
    ],
  },
] as const satisfies readonly { title: string; places: readonly (Row & { key: string })[] }[]

const people = {
  title: 'peopleTitle',
  places: [
    { name: 'summary', to: '/org/$slug', icon: IconBuilding },
    { name: 'members', to: '/org/$slug/members', icon: IconUsersGroup },
    { name: 'invitations', to: '/org/$slug/invitations', icon: IconMail },
    { name: 'teams', to: '/org/$slug/teams', icon: IconHierarchy2, feature: 'teams' },
    { name: 'roles', to: '/org/$slug/roles', icon: IconShieldLock, needs: ['ac', 'read'] },
    { name: 'profile', to: '/org/$slug/settings', icon: IconId, needs: ['organization', 'update'] },
    { name: 'audit', to: '/org/$slug/audit', icon: IconHistory, needs: ['audit', 'read'] },
    { name: 'danger', to: '/org/$slug/danger', icon: IconAlertTriangle },
  ],
} as const satisfies { title: string; places: readonly Row[] }

export type SellingPlace = (typeof selling)[number]['places'][number]
export type PeoplePlace = (typeof people)['places'][number]

/** The names of all pages and groups, which the locales translate. */
export type PlaceNames = Readonly<
  Record<(SellingPlace | PeoplePlace)['name'] | (typeof selling)[number]['title'] | (typeof people)['title'], string>
>

/** What decides which pages a member sees. The server decides again when one is opened. */
export type PlaceViewer = {
  readonly permissions: Readonly<Record<string, readonly string[]>>
  readonly teams: boolean
  /** Whether the organization may sell; before its approval only what leads to it is there. */
  readonly maySell: boolean
}

/** The pages of selling that are there before the approval: what is missing for it, and what to fill in. */
const beforeApproval: readonly string[] = ['overview', 'settings']

const sees = ({ permissions, teams }: PlaceViewer, { needs, feature }: Row): boolean =>
  (feature !== 'teams' || teams) && (needs === undefined || (permissions[needs[0]]?.includes(needs[1]) ?? false))

const offers = (viewer: PlaceViewer, place: Row): boolean =>
  sees(viewer, place) && (viewer.maySell || beforeApproval.includes(place.name))

/** The groups of selling, without pages that the member may not see. */
export const sellingGroups = (viewer: PlaceViewer) =>
  selling
    .map(({ title, places }) => ({ title, places: places.filter((place: SellingPlace) => offers(viewer, place)) }))
    .filter(({ places }) => places.length > 0)

/** The group of people, likewise. */
export const peopleGroup = (viewer: PlaceViewer) => ({
  title: people.title,
  places: people.places.filter((place) => sees(viewer, place)),
})

/** The address of a page in one organization. */
export const placeAddress = (to: string, slug: string): string => to.replace('$slug', encodeURIComponent(slug))
