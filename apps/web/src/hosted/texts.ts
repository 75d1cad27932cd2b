import type { PageLocale } from '@tollgate/contract/pages'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import fr from './locales/fr.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import ru from './locales/ru.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }
import uk from './locales/uk.json' with { type: 'json' }

/** The pages' own texts, around the components of @tollgate/react. Only the server bundle contains all of them. */
export type PageTexts = Readonly<typeof en>

export const pageTexts: Readonly<Record<PageLocale, PageTexts>> = { en, de, es, fr, pl, ru, tr, uk }
