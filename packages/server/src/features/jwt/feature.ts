import type { Feature } from '../../foundation/feature.ts'
import { deleteRetiredKeys } from './keys.repository.ts'

export const feature: Feature = {
  sweep: (ctx, now) => ctx.transaction((tx) => deleteRetiredKeys(tx, now)),
}
