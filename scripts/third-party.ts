import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Puts the licences of the packages that a bundle is made of beside it: they ask for their notice to go with each copy. */
export const thirdPartyNotices: Plugin = {
  name: 'third-party-notices',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []))
    const notices = [...folders].map(noticeOf).sort()
    this.emitFile({ type: 'asset', fileName: 'third-party-licences.txt', source: notices.join('\n\n') })
  },
}

/** The package that a module belongs to; nothing for our own. */
function packageFolder(id: string): string | undefined {
  const within = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)?.[1]
  return within && existsSync(path.join(within, 'package.json')) ? within : undefined
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n')
}
