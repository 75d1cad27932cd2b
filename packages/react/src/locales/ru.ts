import type { Messages } from '../i18n/messages.ts'
import billing from './billing/ru.json' with { type: 'json' }
import joining from './joining/ru.json' with { type: 'json' }
import organization from './organization/ru.json' with { type: 'json' }
import pages from './ru.json' with { type: 'json' }

/** Russian. */
export const ru: Messages = {
  meta: { locale: 'ru', name: 'Русский', dir: 'ltr' },
  ...pages,
  ...joining,
  ...billing,
  ...organization,
}
