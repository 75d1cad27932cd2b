import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { checkFonts } from './check-fonts.ts'
import { documents } from './document-answer.ts'

export const feature = {
  name: 'documents',
  isOn: isBillingServed,
  routes: { '/documents': documents },
  problems: async ({ billing }) => (billing ? checkFonts(billing.documents.fonts) : []),
  onClose: (ctx) => ctx.press.close(),
} as const satisfies Feature
