import type { ErrorName } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { TollgateError } from '../foundation/error.ts'
import type { Visit } from './visit.ts'

type Look<Found> =
  | { readonly found: Found; readonly refusal?: undefined }
  | { readonly found?: undefined; readonly refusal: ErrorName }

/** The answer of a call, or its refusal; throws server errors and rate limits. */
export async function look<Found>(asked: Promise<Found | undefined>): Promise<Look<Found>> {
  try {
    const found = await asked
    return found === undefined ? { refusal: 'NOT_FOUND' } : { found }
  } catch (error) {
    if (error instanceof TollgateError && error.row.status < 500 && error.error !== 'TOO_MANY_REQUESTS')
      return { refusal: error.error }
    throw error
  }
}

/** An invitation, for its recipient or a visitor with the proof from its mail. */
export const lookAtInvitation = (
  visit: Visit,
  id: string,
  proof: string | undefined,
): Promise<Look<Answer<'getInvitation'>>> =>
  look(visit.call('getInvitation', { query: { id, ...(proof && { proof }) } }))
