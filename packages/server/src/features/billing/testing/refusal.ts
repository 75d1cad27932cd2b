import type { TestAnswer } from '../../../testing.ts'

type Issue = { readonly loc: readonly (string | number)[] }

/** The faults of a request, relative to `body`: `422 prices.0.price_amount`. */
export const wrongAt = ({ status, body }: TestAnswer): string =>
  `${status} ${Array.isArray(body?.detail) ? body.detail.map(({ loc }: Issue) => loc.slice(1).join('.')).join(' ') : ''}`
