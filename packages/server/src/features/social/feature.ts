import type { Feature } from '../../foundation/http/feature.ts'
import { tokenPurpose } from './provider-tokens.ts'

export const feature = {
  name: 'social',
  sealed: [
    { table: 'account', column: 'accessToken', purpose: tokenPurpose },
    { table: 'account', column: 'refreshToken', purpose: tokenPurpose },
    { table: 'account', column: 'idToken', purpose: tokenPurpose },
  ],
} as const satisfies Feature
