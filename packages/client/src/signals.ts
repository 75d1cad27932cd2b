import type { Call, Signal } from '@tollgate/contract/calls'
import type { Channel, Environment } from './environment.ts'

const everything: readonly Signal[] = ['session', 'organizations', 'activeOrganization', 'activeMember']

/**
 * The data that a successful call makes stale (specification, section 4): what the contract names; the active
 * organization after any organization call; and everything after a change of the user or the session.
 */
export function madeStale({ group, refreshes = [] }: Call): readonly Signal[] {
  if (group === 'organization') return [...new Set<Signal>([...refreshes, 'activeOrganization'])]
  return refreshes.includes('session') ? everything : refreshes
}

/** Carries signals from calls to stores, in this tab and in others through one shared channel. */
export function createSignals(environment: Environment, channelName: string) {
  const heard = new Map<string, () => void>()
  let channel: Channel | undefined
  let listening = 0

  function raise(signals: readonly string[]) {
    for (const signal of signals) heard.get(signal)?.()
  }
  const open = () => environment.openChannel(channelName, (message) => raise(message.split(',')))

  return {
    /** Called when a signal's data is stale. */
    on: (signal: Signal, refresh: () => void) => void heard.set(signal, refresh),
    raise,
    /** Raises the signals in the other tabs; opens the channel for it if none is open. */
    tell(signals: readonly Signal[]) {
      const line = channel ?? open()
      line?.send(signals.join(','))
      if (line !== channel) line?.close()
    },
    /** Keeps the channel open until the result is called. */
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
