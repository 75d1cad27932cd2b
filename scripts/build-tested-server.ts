import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { buildServer } from './build-server.ts'

const root = path.dirname(import.meta.dirname)

/**
 * Builds the server as it is published, into a folder that no other build touches, and returns its program. Tests start
 * it some hundred times: the bundle starts with half the processor time that the sources take.
 */
export async function buildTestedServer(): Promise<string> {
  const folder = path.join(root, 'node_modules/.cache/tested-server')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of ['bin', 'package.json'])
    cpSync(path.join(root, 'packages/server', name), path.join(folder, name), { recursive: true })
  // What kills a server at a statement changes this package before the server loads it.
  await buildServer(path.join(folder, 'dist/program'), ['pg'])
  // The published package has its pages beside its dist.
  symlinkSync(path.join(root, 'apps/web/dist'), path.join(folder, 'web'), 'junction')
  return path.join(folder, 'bin/tollgate.js')
}
