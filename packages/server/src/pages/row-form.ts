import { authCalls, type Call } from '@tollgate/contract/calls'
import { type After, type At, defaultPaths, type Form as Row, withQuery } from '@tollgate/contract/forms'
import type { AuthInput } from '../features/auth-api.ts'
import type { HandledCall } from '../features/identity/auth-handler.ts'
import { TollgateError } from '../foundation/error.ts'
import type { CallInput } from '../foundation/http/api.ts'
import { firstOf } from '../foundation/proof/proven.ts'
import { type Form, FormRefused, type Outcome, pathOf, renewSession, required, type Values } from './form.ts'
import { requireOrganization } from './organization-pages.ts'
import { lastMethodCookie, providersOf } from './page-data.ts'
import { fieldRules, type Visit } from './visit.ts'

/** The form of a row, as the server takes it: the component makes the same call with a script. */
export const rowForm = (row: Row): Form => ({
  pages: row.pages,
  kept: row.kept,
  ...(row.takesFile !== undefined && { takesFile: nameOf(row) }),
  submit: async (visit, values, file) => {
    const at = { ...(await atOf(visit, row, values)), file }
    refuseFields(row, values, at)
    const instead = row.instead?.(values, at)
    if (instead) return follow(visit, instead)
    if (row.renewsSession) await renewSession(visit, values.password)
    return follow(visit, row.after(await callOf(visit, row, values, at), values, at))
  },
})

/** The usual call of a row, or the one that it chooses by the values. */
const nameOf = ({ calls }: Row, chosen?: string) => (chosen ?? firstOf(calls, 'every form makes a call')) as HandledCall // pages make no calls

/** Makes the call of a row; dispatch checks the input's shape. */
function callOf(visit: Visit, row: Row, values: Values, at: At): ReturnType<Visit['call']> {
  const name = nameOf(row, row.choose?.(values, at))
  const parts = partsOf(authCalls[name], row.input(values, at)) as AuthInput<HandledCall> // by the type of the row
  return visit.call(name, parts)
}

function partsOf(call: Call, input: object | undefined): Pick<CallInput, 'body' | 'query' | 'file'> {
  if (!call.takesFile) return call.method === 'GET' ? { query: input } : { body: input }
  const { file, ...query } = (input ?? {}) as { readonly file?: Blob } // the input of an upload, by the type of its row
  return { query, file: file?.stream() ?? null }
}

/** What a row knows besides the values. */
async function atOf(visit: Visit, row: Row, { callbackURL, to, invitationId }: Values): Promise<At> {
  const { config } = visit.ctx
  const session = row.usesUser ? await visit.session() : undefined
  const organization = row.inOrganization ? await requireOrganization(visit) : undefined
  return {
    paths: defaultPaths,
    page: pathOf(visit),
    // The switcher of organizations calls it `to`.
    callbackURL: visit.safeTarget(callbackURL ?? to),
    isScripted: false,
    username: config.username !== false,
    ...fieldRules(config),
    isDeletionWord: (typed) => visit.build.confirmsDeletion(typed, visit.preferences.locale),
    ...(organization && { organization }),
    ...(organization &&
      row.usesInvitation && { invitation: await requireInvitation(visit, organization, invitationId) }),
    ...(row.usesUser && { user: session?.user ?? null, isImpersonated: Boolean(session?.session.impersonatedBy) }),
  }
}

/** The pending invitation of a form. */
async function requireInvitation(visit: Visit, { id: organizationId }: { id: string }, invitationId?: string) {
  const listed = await visit.call('listInvitations', { query: { organizationId, status: 'pending', limit: 200 } })
  const found = listed.find(({ id }) => id === invitationId)
  if (!found) throw new TollgateError('INVITATION_NOT_FOUND')
  return found
}

/** Refuses each field that its check refuses, before any call. */
function refuseFields({ fields }: Row, values: Values, at: At): void {
  const refused = Object.entries(fields).flatMap(([field, check]) => {
    const code = check(values[field] ?? '', values, at)
    return code === undefined ? [] : [[field, code] as const]
  })
  if (refused.length > 0) throw new FormRefused(Object.fromEntries(refused))
}

async function follow(visit: Visit, after: After): Promise<Outcome> {
  const { done, values, stays, to, organizationId, method, provider } = after
  if (method !== undefined) rememberMethod(visit, method)
  if (provider !== undefined) return leaving(visit, provider, to)
  if (organizationId !== undefined) return toOrganization(visit, organizationId)
  if (stays) return { state: { ...(done && { done }), ...(values && { values }) } }
  return { to: to ?? withQuery(pathOf(visit), { done }) }
}

/** The interstitial before a provider. */
function leaving(visit: Visit, provider: string, to: string | undefined): Outcome {
  const url = required(to, 'INTERNAL_SERVER_ERROR')
  const name = providersOf(visit).find(({ id }) => id === provider)?.name ?? provider
  return { page: visit.data('leaving', { url, provider: name }), refresh: url }
}

/** Redirects to the organization that the user has just joined. */
async function toOrganization(visit: Visit, organizationId: string): Promise<Outcome> {
  const organization = await visit.call('getOrganization', { query: { organizationId } })
  return { to: organization ? `${defaultPaths.organization}/${organization.slug}` : defaultPaths.organizations }
}

const year = 31_536_000

/** Remembers the method for the mark "last used". The value is not personal, so scripts may read the cookie. */
const rememberMethod = ({ setCookie }: Visit, method: string): void =>
  setCookie(lastMethodCookie, encodeURIComponent(method), year, 'Path=/')
