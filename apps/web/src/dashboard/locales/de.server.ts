import './de.ts'

/** Draws the dashboard in German: the modules of the drawing are evaluated after the texts, and have read them by now. */
export { draw } from '../server.tsx'

globalThis.dashboardTexts = undefined
