import type { Answer } from '@tollgate/contract/types'
import type { Read } from '../hooks/use-given.ts'

/** What becomes of the organizations that nobody else owns. */
export type DeletionPreview = Answer<'previewUserDeletion'>

/** Asks the server, which decides about it; nothing becomes of organizations where they are switched off. */
export const readDeletionPreview: Read<DeletionPreview> = async (client, signal) => {
  const answer = await client.previewUserDeletion(undefined, { signal })
  return answer.error?.status === 404 ? { data: { blocking: [], ending: [] }, error: null } : answer
}
