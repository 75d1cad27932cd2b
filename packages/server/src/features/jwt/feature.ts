import type { Feature } from '../../foundation/http/feature.ts'
import { deleteRetiredKeys } from './keys.repository.ts'

export const feature = {
  name: 'jwt',
  isOn: ({ jwt }) => jwt !== false,
  sweep: (ctx, now) => ctx.transaction((tx) => deleteRetiredKeys(tx, now)),
} as const satisfies Feature
