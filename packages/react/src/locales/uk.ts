import type { Messages } from '../i18n/messages.ts'
import billing from './billing/uk.json' with { type: 'json' }
import joining from './joining/uk.json' with { type: 'json' }
import organization from './organization/uk.json' with { type: 'json' }
import pages from './uk.json' with { type: 'json' }

/** Ukrainian. */
export const uk: Messages = {
  meta: { locale: 'uk', name: 'Українська', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
