import type { Messages } from '../i18n/messages.ts'
import billing from './billing/en.json' with { type: 'json' }
import pages from './en.json' with { type: 'json' }
import joining from './joining/en.json' with { type: 'json' }
import organization from './organization/en.json' with { type: 'json' }

/** English: its files say which texts every language has. */
export const en: Messages = {
  meta: { locale: 'en', name: 'English', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
