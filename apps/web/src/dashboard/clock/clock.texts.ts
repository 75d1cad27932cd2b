import { translated } from '../language.ts'
import english from '../locales/clock/en.json' with { type: 'json' }

/** The texts of the development clock. */
export const clockWords = translated?.clock ?? english
