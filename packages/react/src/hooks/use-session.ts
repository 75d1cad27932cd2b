import type { SessionState, TollgateClient } from '@tollgate/client'
import { useTollgateContext } from '../provider.tsx'
import { useStore } from './use-store.ts'

/** The typed client that the provider was given. */
export function useTollgate(): TollgateClient {
  return useTollgateContext().client
}

/** The session as it stands, and a way to read it again. The first component to ask causes the read. */
export function useSession(): SessionState & { refetch: () => Promise<void> } {
  const { session } = useTollgate()
  return { ...useStore(session), refetch: session.refetch }
}
