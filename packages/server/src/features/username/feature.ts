import type { Feature } from '../../foundation/http/feature.ts'

export const feature = {
  name: 'username',
  isOn: ({ username }) => username !== false,
} as const satisfies Feature
