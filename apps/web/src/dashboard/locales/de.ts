import administration from '../admin/locales/de.json' with { type: 'json' }
import type { DashboardTexts } from '../language.ts'
import frame from './de.json' with { type: 'json' }

/** German. A script of its own, so that no visitor loads a language that they do not read. */
globalThis.dashboardTexts = { frame, administration } satisfies DashboardTexts
