import { apiPage } from './api.ts'
import { billingApiPage } from './billing-api.ts'
import { configurationPage } from './configuration.ts'
import { errorsPage } from './errors.ts'
import { webhookEventsPage } from './webhook-events.ts'

/** The pages of docs/ that are made from the code, by their names. */
export function generatedPages(): Readonly<Record<string, string>> {
  return {
    'configuration.md': configurationPage(),
    'errors.md': errorsPage(),
    'api.md': apiPage(),
    'billing-api.md': billingApiPage(),
    'webhook-events.md': webhookEventsPage(),
  }
}
