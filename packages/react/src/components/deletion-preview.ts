import type { Answer } from '@tollgate/contract/types'
import type { Read } from '../hooks/use-given.ts'

/** The fate of the organizations that only this user owns, and of what they and the user have bought. */
export type DeletionPreview = Answer<'previewUserDeletion'>

const noPurchases: DeletionPreview['purchases'] = {
  subscriptions: [],
  subscriptionCount: 0,
  voided: [],
  due: [],
  paymentMethodCount: 0,
}

/** Reads the preview from the server, which decides; empty if organizations are off. */
export const readDeletionPreview: Read<DeletionPreview> = async (client, signal) => {
  const answer = await client.previewUserDeletion(undefined, { signal })
  return answer.error?.status === 404
    ? { data: { blocking: [], ending: [], purchases: noPurchases }, error: null }
    : answer
}
