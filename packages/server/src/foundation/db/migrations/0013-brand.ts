import { addColumns, json, type Migration, nullable } from './migration.ts'

/** How the pages of a seller look; null keeps the look of the installation. */
export const brand: Migration = {
  name: '0013-brand',
  steps: [addColumns('merchant', { brand: nullable(json) })],
}
