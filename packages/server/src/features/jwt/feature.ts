import type { Feature } from '../../foundation/http/feature.ts'
import { deleteRetiredKeys } from './keys.repository.ts'
import { purpose } from './keys.service.ts'

export const feature = {
  name: 'jwt',
  isOn: ({ jwt }) => jwt !== false,
  sealed: [{ table: 'jwks', column: 'privateKey', purpose }],
  sweep: (ctx, now) => ctx.transaction((tx) => deleteRetiredKeys(tx, now)),
} as const satisfies Feature
