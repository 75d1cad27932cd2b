import type { Feature } from '../../../foundation/feature.ts'
import { checkFonts } from './check-fonts.ts'

export const feature: Feature = {
  problems: async ({ billing }) => (billing ? checkFonts(billing.documents.fonts) : []),
  onClose: (ctx) => ctx.press.close(),
}
