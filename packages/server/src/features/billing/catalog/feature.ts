import type { Feature } from '../../../foundation/feature.ts'
import { createRenameHandler } from './custom-field-rename.service.ts'
import { createRemoveFileHandler, readdressFiles } from './file.service.ts'

export const feature: Feature = {
  onStart: readdressFiles,
  jobs: { 'rename-custom-field': createRenameHandler, 'remove-file': createRemoveFileHandler },
}
