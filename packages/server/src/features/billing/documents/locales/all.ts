import type { MailLocale } from '../../../../foundation/mail/templates.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ru from './ru.json' with { type: 'json' }
import tr from './tr.json' with { type: 'json' }
import uk from './uk.json' with { type: 'json' }

/** The texts of documents in one language. English says which there are, and docs/translating.md what they are for. */
export type DocumentWords = typeof en

/** The texts of documents, by language: the same languages as those of mails. */
export const documentWords: Readonly<Record<MailLocale, DocumentWords>> = { en, de, es, fr, pl, ru, tr, uk }
