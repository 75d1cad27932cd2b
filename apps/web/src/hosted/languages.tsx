import type { PageLocale } from '@tollgate/contract/pages'
import type { Messages } from '@tollgate/react'

/** The same page in every language, each by its own name for itself. */
export function Languages({
  label,
  current,
  address,
  languages,
}: {
  label: string
  current: PageLocale
  address: string
  languages: readonly Messages[]
}) {
  return (
    <nav aria-label={label}>
      <ul className="languages">
        {languages.map(({ meta }) => (
          <li key={meta.locale}>
            <a
              href={inLanguage(address, meta.locale)}
              hrefLang={meta.locale}
              lang={meta.locale}
              aria-current={meta.locale === current ? 'true' : undefined}
            >
              {meta.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function inLanguage(address: string, locale: string): string {
  const [path = '/', query] = address.split('?')
  const search = new URLSearchParams(query)
  search.set('lang', locale)
  return `${path}?${search}`
}
