import type { SessionState, TollgateClient } from '@tollgate/client'
import { useSyncExternalStore } from 'react'
import { useTollgateContext } from '../provider.tsx'

/** The typed client that the provider was given. */
export function useTollgate(): TollgateClient {
  return useTollgateContext().client
}

/** The session as it stands, and a way to read it again. The first component to ask causes the read. */
export function useSession(): SessionState & { refetch: () => Promise<void> } {
  const { session } = useTollgate()
  const state = useSyncExternalStore(session.subscribe, session.get, session.getInitial)
  return { ...state, refetch: session.refetch }
}
