import type { environment } from '../foundation/config/environment.ts'
import { shownAddress } from '../foundation/config/shown-address.ts'

type Name = keyof typeof environment

/** The variables on which depend which data a command writes, and which addresses it prints. */
const settings: readonly Name[] = ['TOLLGATE_MODE', 'TOLLGATE_CONFIG', 'DATABASE_URL', 'SECRET', 'PORT', 'BASE_URL']

/**
 * A command that has the settings of this process: another shell lacks its variables, and would write to another database
 * or print the addresses of another server. A value with a secret is not printed; the reader's shell has to provide it.
 */
export function withSameSettings(command: string, env: Readonly<Record<string, string | undefined>>): string {
  const given = settings.flatMap((name) => {
    const value = env[name]
    if (!value) return []
    const isSecret = name === 'SECRET' || (name === 'DATABASE_URL' && shownAddress(value) !== value)
    return [`${name}=${isSecret ? `"$${name}"` : quoted(value)}`]
  })
  return [...given, command].join(' ')
}

/** A value as a shell reads it. */
const quoted = (value: string): string =>
  /^[\w./:@%+,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
