import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pl } from './pl.ts'
import { ru } from './ru.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import type { DocumentLocale, DocumentWords } from './words.ts'

/** The texts of documents, by language. */
export const documentWords: Readonly<Record<DocumentLocale, DocumentWords>> = { en, de, es, fr, pl, ru, tr, uk }
