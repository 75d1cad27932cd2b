import { translated } from '../language.ts'
import english from '../locales/picture/en.json' with { type: 'json' }

/** The texts of a picture that is chosen and cropped. */
export const pictureWords = translated?.picture ?? english
