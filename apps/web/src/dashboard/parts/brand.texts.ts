import { filled, translated } from '../language.ts'
import english from '../locales/brand/en.json' with { type: 'json' }

const words = translated?.brand ?? english

/** The texts of a brand's fields and preview. */
export const brandWords = {
  ...words,
  pick: (label: string) => filled(words.pick, { label }),
  reset: (label: string) => filled(words.reset, { label }),
  preview: { ...words.preview, adjusted: (color: string) => filled(words.preview.adjusted, { color }) },
}
