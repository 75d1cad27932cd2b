import type { Store, StoreState } from '@tollgate/client'
import { useSyncExternalStore } from 'react'

/** A store of the client as it stands. The first component to ask causes the read. */
export function useStore<Data>(store: Store<Data>): StoreState<Data> {
  return useSyncExternalStore(store.subscribe, store.get, store.getInitial)
}
