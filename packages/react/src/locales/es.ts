import type { Messages } from '../i18n/messages.ts'
import billing from './billing/es.json' with { type: 'json' }
import pages from './es.json' with { type: 'json' }
import joining from './joining/es.json' with { type: 'json' }
import organization from './organization/es.json' with { type: 'json' }

/** Spanish. */
export const es: Messages = {
  meta: { locale: 'es', name: 'Español', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
