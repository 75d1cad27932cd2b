import { filled, language, translated } from '../../language.ts'
import english from '../locales/documents/en.json' with { type: 'json' }
import type { Gap } from './invoice-gaps.ts'

const words = translated?.seller.documents ?? english
const listed = new Intl.ListFormat(language)

/** The texts of documents, on an order's page and elsewhere. */
export const documentsWords = {
  ...words,
  openNamed: (kind: string, number: string) => filled(words.openNamed, { kind, number }),
  gaps: {
    ...words.gaps,
    text: (gaps: readonly Gap[]) =>
      filled(words.gaps.text, { gaps: listed.format(gaps.map((gap) => words.gaps.names[gap])) }),
  },
}
