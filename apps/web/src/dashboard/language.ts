import { format, type Message, type Values } from '@tollgate/react'
import type administration from './admin/locales/en.json'
import type frame from './locales/en.json'

/** The texts of a language besides English, by area. */
export type DashboardTexts = { readonly frame: typeof frame; readonly administration: typeof administration }

declare global {
  /** Set by the script of a language (locales/de.ts), which the document loads before the dashboard's own. */
  var dashboardTexts: DashboardTexts | undefined
}

/** The texts of the document's language; undefined in English, which the dashboard's own scripts hold. */
export const translated = globalThis.dashboardTexts

/** The language of the document, for numbers and dates. The server chooses it (packages/server/src/pages/dashboard.ts). */
export const language = translated ? document.documentElement.lang : 'en'

/** A text with its placeholders filled in, or the form of a plural that fits `count`. */
export const filled = (message: Message, values: Values): string => format(message, language, values)

/** Numbers as the language writes them. */
export const number = new Intl.NumberFormat(language)
