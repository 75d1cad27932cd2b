import { splitRoles } from '@tollgate/contract/calls'
import type { ReactNode } from 'react'
import { FurtherErrors } from '../hooks/use-error-text.ts'
import { organizationErrorTexts } from '../i18n/organization-error-text.ts'
import { useMessages, useTollgateContext } from '../provider.tsx'

/** What is refused about organizations has its words in everything that is drawn below this. */
export function OrganizationErrors({ children }: { children: ReactNode }) {
  return <FurtherErrors value={organizationErrorTexts}>{children}</FurtherErrors>
}

/** Says a text of roles, such as `admin,billing`: the predefined ones in the page's language, the others as they are. */
export function useRoleText() {
  const { locale } = useTollgateContext()
  const names: Readonly<Record<string, string>> = useMessages('roleNames')
  return (roles: string): string =>
    new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }).format(
      splitRoles(roles).map((role) => (Object.hasOwn(names, role) ? (names[role] ?? role) : role)),
    )
}

/** Where the pages of an organization begin. */
export function useOrganizationPath() {
  const { paths } = useTollgateContext()
  return (slug: string): string => `${paths.organization}/${encodeURIComponent(slug)}`
}

/** A few facts, each a line of its own. */
export function Facts({ facts }: { facts: readonly ReactNode[] }) {
  return (
    <ul data-tg="list">
      {facts.map((fact, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: facts have nothing but their position
        fact ? <li key={at}>{fact}</li> : null,
      )}
    </ul>
  )
}
