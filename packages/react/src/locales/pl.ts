import type { Messages } from '../i18n/messages.ts'
import billing from './billing/pl.json' with { type: 'json' }
import joining from './joining/pl.json' with { type: 'json' }
import organization from './organization/pl.json' with { type: 'json' }
import pages from './pl.json' with { type: 'json' }

/** Polish. */
export const pl: Messages = {
  meta: { locale: 'pl', name: 'Polski', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
