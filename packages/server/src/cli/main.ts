import { ConfigError } from '../foundation/config/config.ts'
import { NewerDatabaseError } from '../foundation/db/migrate.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'
import { version } from './version.command.ts'

/** Finds the command and runs it. Returns the exit status of a command that failed. */
async function main(words: string[]): Promise<number | undefined> {
  const [first = 'help', second] = words
  if (['help', '--help', '-h'].includes(first)) {
    console.log(overview())
    return
  }
  if (['--version', '-v'].includes(first)) return version.run(words.slice(1))
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  if (!command) throw new UsageError(unknown(first, second))
  const rest = words.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(`tollgate ${command.name} ${command.usage}\n\n${command.summary}`)
    return
  }
  return command.run(rest)
}

/** Suggests similar commands if only the first word is right. */
function unknown(first: string, second: string | undefined): string {
  const family = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `))
  const asked = [first, ...(family.length > 0 && second !== undefined ? [second] : [])].join(' ')
  const what = first.startsWith('-') ? 'option' : 'command'
  const hint = family.length > 0 ? `Did you mean ${choice.format(family)}?` : '`tollgate help` lists all commands.'
  return `There is no ${what} ${JSON.stringify(asked)}. ${hint}`
}

const choice = new Intl.ListFormat('en', { type: 'disjunction' })

function overview(): string {
  const width = Math.max(...commands.map(({ name, usage }) => `${name} ${usage}`.length))
  const lines = commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`)
  return `Usage: tollgate <command>\n\n${lines.join('\n')}\n\nEach command: --help`
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // A user's mistake prints a sentence; a fault of ours prints its stack.
  const isExpected = error instanceof ConfigError || error instanceof UsageError || error instanceof NewerDatabaseError
  console.error(isExpected ? error.message : error)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
