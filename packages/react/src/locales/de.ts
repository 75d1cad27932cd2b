import type { Messages } from '../i18n/messages.ts'
import billing from './billing/de.json' with { type: 'json' }
import pages from './de.json' with { type: 'json' }
import joining from './joining/de.json' with { type: 'json' }
import organization from './organization/de.json' with { type: 'json' }

/** German. */
export const de: Messages = {
  meta: { locale: 'de', name: 'Deutsch', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
