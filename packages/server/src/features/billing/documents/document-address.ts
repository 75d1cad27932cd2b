import { after, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'

/** How long a link to a document works: long enough to open it, too short to share it. */
const linkWorksFor = hours(1)

const purpose = 'document link'

/** A temporary link to a document. The link carries its owner and expiry, so nothing is stored. */
export function documentUrl({ config, secrets, clock }: Context, id: Id<'document'>): string {
  const until = after(clock.now(), linkWorksFor).toISOString()
  return `${config.baseURL.origin}/documents/${id}/${secrets.seal(JSON.stringify([id, until]), purpose)}.pdf`
}

/** Whether this server made the link for this document, and it has not expired. */
export function isDocumentLink(
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  id: Id<'document'>,
  token: string,
) {
  const [document, until] = opened(secrets, token)
  return document === id && until !== undefined && new Date(until) > clock.now()
}

/** Undefined if the token is forged or altered. */
function opened(secrets: Context['secrets'], token: string): readonly [id?: string, until?: string] {
  try {
    return JSON.parse(secrets.open(token, purpose)) // sealed by `documentUrl`
  } catch {
    return []
  }
}
