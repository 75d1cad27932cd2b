import type { DocumentLocale } from '../document-content.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pl } from './pl.ts'
import { ru } from './ru.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import type { DocumentWords } from './words.ts'

/** The words of documents, by language. */
export const documentWords: Readonly<Record<DocumentLocale, DocumentWords>> = { en, de, es, fr, pl, ru, tr, uk }
