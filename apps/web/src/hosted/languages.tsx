import type { PageLocale } from '@tollgate/contract/pages'
import type { Messages } from '@tollgate/react'

/**
 * The same page in every language, each by its own name for itself. The list opens and closes without a script; while it
 * is closed, the browser does not load the letters that only its names need.
 */
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
  const name = languages.find(({ meta }) => meta.locale === current)?.meta.name
  return (
    <>
      <button type="button" className="language-button" popoverTarget="languages" aria-label={`${label}: ${name}`}>
        <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
          <path d="M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM2.5 10h15M10 2.5c4.5 4.5 4.5 10.5 0 15-4.5-4.5-4.5-10.5 0-15Z" />
        </svg>
        {name}
      </button>
      <nav id="languages" className="languages" popover="auto" aria-label={label}>
        <ul>
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
    </>
  )
}

function inLanguage(address: string, locale: string): string {
  const [path = '/', query] = address.split('?')
  const search = new URLSearchParams(query)
  search.set('lang', locale)
  return `${path}?${search}`
}
