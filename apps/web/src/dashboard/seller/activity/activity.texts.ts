import type { EventKind } from '@tollgate/contract/events'
import { filled, translated } from '../../language.ts'
import english from '../locales/activity/en.json' with { type: 'json' }

const words = translated?.seller.activity ?? english

/**
 * The texts of the pages of activity and the panel of a customer. `lines` has the sentence of each event, by its type; the values
 * that can stand in it are those of activity-text.ts.
 */
export const activityWords = {
  ...words,
  kinds: words.kinds satisfies Readonly<Record<EventKind, string>>,
  by: (name: string) => filled(words.by, { name }),
  organization: (name: string) => (name ? filled(words.organizationNamed, { name }) : words.organization),
  elsewhere: (organization: string) => filled(words.elsewhere, { organization }),
  linkOf: (link: string, sentence: string) => filled(words.linkOf, { link, sentence }),
  sent: {
    ...words.sent,
    succeeded: (count: number) => filled(words.sent.succeeded, { count }),
    pending: (count: number) => filled(words.sent.pending, { count }),
    failed: (count: number) => filled(words.sent.failed, { count }),
  },
}
