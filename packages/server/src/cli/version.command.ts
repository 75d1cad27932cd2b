import { readFileSync } from 'node:fs'
import { type Command, readOptions } from './command.ts'

export const version: Command = {
  name: 'version',
  usage: '',
  summary: 'Prints the version of Tollgate and of the Node that runs it.',
  run: async (words) => {
    readOptions(words, {})
    const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
    console.log(`tollgate ${own.version} on Node ${process.versions.node}`)
    return 0
  },
}
