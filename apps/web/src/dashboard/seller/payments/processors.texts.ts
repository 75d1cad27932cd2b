import { translated } from '../../language.ts'
import english from '../locales/processors/en.json' with { type: 'json' }

const words = translated?.seller.processors ?? english

/** The texts of the pages of processors. */
export const processorNames = words.processorNames

export const processorsWords = words.processors
