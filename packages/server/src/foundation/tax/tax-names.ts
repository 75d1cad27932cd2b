import { isNameOf } from '../proof/proven.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import fr from './locales/fr.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import ru from './locales/ru.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }
import uk from './locales/uk.json' with { type: 'json' }

/** Names of widespread taxes in the languages of mails and documents. */
const names = { en, de, es, fr, pl, ru, tr, uk }

/** A tax's name: "VAT"; a tax of one country, such as the GST, keeps its own name. */
export function taxName(name: string, locale: keyof typeof names): string {
  const known = names[locale]
  return isNameOf(known, name) ? known[name] : name
}

/** A decimal percentage such as `8.875`, in the language's format. */
export const percentText = (percent: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(Number(percent) / 100)
