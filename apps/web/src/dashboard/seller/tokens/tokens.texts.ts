import { filled, insideSentence, translated } from '../../language.ts'
import english from '../locales/tokens/en.json' with { type: 'json' }

const words = translated?.seller.tokens ?? english

/** The texts of the pages of access tokens. */
export const tokensWords = {
  ...words,
  scopes: (count: number, all: number) => (count >= all ? words.everyScope : filled(words.scopes, { count })),
  editNamed: (name: string) => filled(words.editNamed, { name }),
  removeNamed: (name: string) => filled(words.removeNamed, { name }),
  form: {
    ...words.form,
    readNamed: (what: string) => filled(words.form.readNamed, { what: insideSentence(what) }),
    writeNamed: (what: string) => filled(words.form.writeNamed, { what: insideSentence(what) }),
  },
  removal: {
    ...words.removal,
    title: (name: string) => filled(words.removal.title, { name }),
    done: (name: string) => filled(words.removal.done, { name }),
  },
}
