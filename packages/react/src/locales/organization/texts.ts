import type { Messages } from '../../i18n/messages.ts'
import type { organizationPages } from './en.ts'

/** The groups of texts that the pages of an organization add to a language. */
export type OrganizationPageTexts = Pick<Messages, keyof typeof organizationPages>
