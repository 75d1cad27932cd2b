import { defineConfig } from './packages/server/src/index.ts'

/** The configuration that `npm start` uses. Every option: docs/configuration.md. */
export default defineConfig({
  appName: 'Tollgate',
  jwt: {},
  organization: { teams: { enabled: true } },
})
