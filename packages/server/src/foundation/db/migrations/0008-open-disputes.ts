import { index, type Migration } from './migration.ts'

/** Open disputes of all organizations, for the administrators who answer them. */
export const openDisputes: Migration = {
  name: '0008-open-disputes',
  steps: [
    index('dispute_open', 'dispute', ['created_at', 'id'], {
      where: "status in ('early_warning', 'needs_response', 'under_review')",
    }),
  ],
}
