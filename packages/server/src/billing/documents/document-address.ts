import { after, hours } from '../../clock.ts'
import type { Context } from '../../context.ts'

/** How long a link to a document works: to open it, and not to be passed on. */
const linkWorksFor = hours(1)

const purpose = 'document link'

/** Where a document is read, for a while. The link says by itself whose it is and how long: nothing has to be stored. */
export function documentUrl({ config, secrets, clock }: Context, id: string): string {
  const until = after(clock.now(), linkWorksFor).toISOString()
  return `${config.baseURL.origin}/documents/${id}/${secrets.seal(JSON.stringify([id, until]), purpose)}.pdf`
}

/** Whether a link is one of ours for this document, and is not over. */
export function isDocumentLink({ secrets, clock }: Pick<Context, 'secrets' | 'clock'>, id: string, token: string) {
  const [document, until] = opened(secrets, token)
  return document === id && until !== undefined && new Date(until) > clock.now()
}

/** Nothing where it was made up, or changed. */
function opened(secrets: Context['secrets'], token: string): readonly [id?: string, until?: string] {
  try {
    return JSON.parse(secrets.open(token, purpose)) as [string, string] // sealed by `documentUrl`
  } catch {
    return []
  }
}
