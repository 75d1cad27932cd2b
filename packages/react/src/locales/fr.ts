import type { Messages } from '../i18n/messages.ts'
import billing from './billing/fr.json' with { type: 'json' }
import pages from './fr.json' with { type: 'json' }
import joining from './joining/fr.json' with { type: 'json' }
import organization from './organization/fr.json' with { type: 'json' }

/** French. */
export const fr: Messages = {
  meta: { locale: 'fr', name: 'Français', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
