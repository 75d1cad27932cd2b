import type { EntranceClient, SessionState, TollgateClient } from '@tollgate/client'
import { useTollgateContext } from '../provider.tsx'
import { useStore } from './use-store.ts'

const isWhole = (client: EntranceClient): client is TollgateClient => 'organizations' in client

/** The typed client that the provider was given. Throws where it is only the part that signing in takes. */
export function useTollgate(): TollgateClient {
  const { client } = useTollgateContext()
  if (!isWhole(client)) throw new Error('This component needs a client of `createTollgateClient`.')
  return client
}

/** The session as it stands, and a way to read it again. The first component to ask causes the read. */
export function useSession(): SessionState & { refetch: () => Promise<void> } {
  const { session } = useTollgateContext().client
  return { ...useStore(session), refetch: session.refetch }
}
