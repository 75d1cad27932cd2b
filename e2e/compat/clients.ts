import { createAuthClient as createClient17 } from 'better-auth/client'
import { usernameClient as usernameClient17 } from 'better-auth/client/plugins'
import {
  createAuthClient as createClient12,
  genericOAuthClient as genericOAuthClient12,
  usernameClient as usernameClient12,
} from './better-auth-1.2/client.ts'
import { type Browser, openBrowser } from './browser.ts'

// biome-ignore lint/suspicious/noExplicitAny: the two versions type their answers differently; tests look into both
type Data = any
export type Reply = {
  readonly data: Data
  readonly error: { readonly status: number; readonly code?: string; readonly message?: string } | null
}
type Method = (input?: Data, options?: Data) => Promise<Reply>
type SessionState = { readonly data: Data; readonly isPending: boolean; readonly error: unknown }

/** The calls that both versions of the client share with this server. */
export type Client = {
  readonly signUp: { readonly email: Method }
  readonly signIn: {
    readonly email: Method
    readonly username: Method
    readonly social: Method
    readonly oauth2: Method
  }
  readonly signOut: Method
  readonly getSession: Method
  readonly listSessions: Method
  readonly revokeSession: Method
  readonly revokeSessions: Method
  readonly revokeOtherSessions: Method
  readonly sendVerificationEmail: Method
  readonly verifyEmail: Method
  readonly resetPassword: Method
  readonly changePassword: Method
  readonly changeEmail: Method
  readonly updateUser: Method
  readonly isUsernameAvailable: Method
  readonly linkSocial: Method
  readonly listAccounts: Method
  readonly unlinkAccount: Method
  readonly getAccessToken: Method
  readonly refreshToken: Method
  readonly accountInfo: Method
  readonly deleteUser: Method & { readonly callback: Method }
  readonly $fetch: (path: string, options?: Data) => Promise<Reply>
  readonly $store: { readonly notify: (signal: string) => void }
  readonly useSession: {
    get(): SessionState
    subscribe(listener: (state: SessionState) => void): () => void
  }
}

/** A visitor on a page of the server that uses the client library. */
export type Person = Browser & { readonly client: Client; readonly requestReset: Method }

export type Version = {
  readonly name: string
  person(baseURL: string, userAgent?: string): Person
}

/** The library's own types differ between versions: only the shared part is typed. */
const asShared = (client: unknown): Client => client as Client

export const versions: readonly Version[] = [
  {
    name: 'better-auth 1.7.7',
    person: (baseURL, userAgent) => {
      const browser = openBrowser(baseURL, userAgent)
      const client = createClient17({
        baseURL,
        fetchOptions: { customFetchImpl: browser.fetch },
        plugins: [usernameClient17()],
      })
      return { ...browser, client: asShared(client), requestReset: client.requestPasswordReset as unknown as Method }
    },
  },
  {
    name: 'better-auth 1.2.8',
    person: (baseURL, userAgent) => {
      const browser = openBrowser(baseURL, userAgent)
      const client = createClient12({
        baseURL,
        fetchOptions: { customFetchImpl: browser.fetch },
        plugins: [usernameClient12(), genericOAuthClient12()],
      })
      return { ...browser, client: asShared(client), requestReset: client.forgetPassword as unknown as Method }
    },
  },
]
