import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { createRenameHandler } from './custom-field-rename.service.ts'
import { createRemoveFileHandler, readdressFiles } from './file.service.ts'
import { pictures } from './file-picture.ts'

export const feature = {
  name: 'catalog',
  isOn: isBillingServed,
  routes: { '/files': pictures },
  onStart: readdressFiles,
  jobs: { 'rename-custom-field': createRenameHandler, 'remove-file': createRemoveFileHandler },
} as const satisfies Feature
