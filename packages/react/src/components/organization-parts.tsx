import { splitRoles } from '@tollgate/contract/calls'
import type { ReactNode } from 'react'
import { FurtherErrors } from '../hooks/use-error-text.ts'
import { organizationErrorTexts } from '../i18n/organization-error-text.ts'
import { useMessages, useTollgateContext } from '../provider.tsx'

/** Adds the texts of organization errors to all components below. */
export function OrganizationErrors({ children }: { children: ReactNode }) {
  return <FurtherErrors value={organizationErrorTexts}>{children}</FurtherErrors>
}

/** Formats a text of roles, such as `admin,billing`: predefined ones in the page's language, others as they are. */
export function useRoleText() {
  const { locale } = useTollgateContext()
  const names: Readonly<Record<string, string>> = useMessages('roleNames')
  return (roles: string): string =>
    new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }).format(
      splitRoles(roles).map((role) => (Object.hasOwn(names, role) ? (names[role] ?? role) : role)),
    )
}

/** The base path of an organization's pages. */
export function useOrganizationPath() {
  const { paths } = useTollgateContext()
  return (slug: string): string => `${paths.organization}/${encodeURIComponent(slug)}`
}

/** A few facts, one per line. */
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
