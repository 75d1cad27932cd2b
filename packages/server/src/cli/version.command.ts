import { readFileSync } from 'node:fs'
import { type Command, readOptions } from './command.ts'

export const version: Command = {
  name: 'version',
  usage: '',
  summary: 'Prints the versions of Tollgate and Node.',
  run: async (words) => {
    readOptions(words, {})
    const own: { version: string } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    console.log(`tollgate ${own.version} on Node ${process.versions.node}`)
  },
}
