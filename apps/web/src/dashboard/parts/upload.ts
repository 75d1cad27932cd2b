import type { BillingClient } from '@tollgate/client'
import type { BillingFile } from '@tollgate/contract/billing-types'
import { answerOf } from '../queries/answer.ts'

type Service = 'product_media' | 'organization_avatar'

/** Uploads a picture in one part: create, send to the signed address, complete. */
export async function uploadPicture(billing: BillingClient, file: File, service: Service): Promise<BillingFile> {
  const part = { number: 1, chunkStart: 0, chunkEnd: file.size }
  const { id, upload } = await answerOf(
    billing.createFile({ name: file.name, mimeType: file.type, size: file.size, service, upload: { parts: [part] } }),
  )
  const [place] = upload.parts
  if (!place) throw new Error('The server has named no address for the picture')
  const sent = await fetch(place.url, { method: 'PUT', body: file, headers: place.headers })
  if (!sent.ok) throw new Error(`The picture was refused with ${sent.status}`)
  const checksumEtag = sent.headers.get('etag') ?? ''
  return answerOf(billing.completeFile({ id, path: upload.path, parts: [{ number: 1, checksumEtag }] }))
}
