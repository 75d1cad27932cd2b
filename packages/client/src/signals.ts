import type { Call, Signal } from '@tollgate/contract/calls'
import type { Channel, Environment } from './environment.ts'

const everything: readonly Signal[] = ['session', 'organizations', 'activeOrganization', 'activeMember']

/**
 * What is stale once a call has succeeded (specification, section 4): what the contract says of it; the active organization
 * after any organization call; and everything where it is another person, or another name, that the session stands for.
 */
export function madeStale({ path, refreshes = [] }: Call): readonly Signal[] {
  if (path.startsWith('/organization/')) return [...new Set<Signal>([...refreshes, 'activeOrganization'])]
  return refreshes.includes('session') ? everything : refreshes
}

/** Carries signals from calls to stores, here and in the other tabs of the browser by one line that they share. */
export function createSignals(environment: Environment, channelName: string) {
  const heard = new Map<string, () => void>()
  let channel: Channel | undefined
  let listening = 0

  function raise(signals: readonly string[]) {
    for (const signal of signals) heard.get(signal)?.()
  }
  const open = () => environment.openChannel(channelName, (message) => raise(message.split(',')))

  return {
    /** What is to happen when something is stale. */
    on: (signal: Signal, refresh: () => void) => void heard.set(signal, refresh),
    raise,
    /** Raises them in the other tabs; the line is opened for it where nobody listens. */
    tell(signals: readonly Signal[]) {
      const line = channel ?? open()
      line?.send(signals.join(','))
      if (line !== channel) line?.close()
    },
    /** Keeps the line open until the answer is called. */
    listen() {
      if (listening++ === 0) channel = open()
      return () => {
        if (--listening > 0) return
        channel?.close()
        channel = undefined
      }
    },
  }
}
