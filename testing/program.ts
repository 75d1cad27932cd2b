import { fileURLToPath } from 'node:url'

/** The program `tollgate` as it runs from its sources. */
const fromSources = fileURLToPath(new URL('../packages/server/bin/tollgate.js', import.meta.url))

/** The program `tollgate` that tests start: the bundle that `npm test` has built, else the sources. */
export const program = process.env.TEST_PROGRAM ?? fromSources
