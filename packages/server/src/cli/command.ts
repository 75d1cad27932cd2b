import { type ParseArgsConfig, parseArgs } from 'node:util'

/** One command of the command line. */
export type Command = {
  readonly name: string
  /** Its options, as the help shows them. */
  readonly usage: string
  readonly summary: string
  /** Resolves when the command is done; for a server, when it has stopped. A failure gives an exit status. */
  run(words: string[]): Promise<number | undefined>
}

/** Wrong usage: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads options; an unknown one or a missing value is a `UsageError`. */
export function readOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  words: string[],
  options: T,
  positionals = 0,
) {
  try {
    const parsed = parseArgs({ args: words, options, allowPositionals: positionals > 0, strict: true })
    if (parsed.positionals.length > positionals)
      throw new UsageError(`Unexpected argument '${parsed.positionals.at(-1)}'`)
    return parsed
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
      throw new UsageError(error.message)
    throw error
  }
}
