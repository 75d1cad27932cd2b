import type { Messages } from '../i18n/messages.ts'
import billing from './billing/tr.json' with { type: 'json' }
import joining from './joining/tr.json' with { type: 'json' }
import organization from './organization/tr.json' with { type: 'json' }
import pages from './tr.json' with { type: 'json' }

/** Turkish. */
export const tr: Messages = {
  meta: { locale: 'tr', name: 'Türkçe', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
