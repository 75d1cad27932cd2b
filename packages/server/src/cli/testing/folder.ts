import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../../../../testing/free-port.ts'
import { program } from '../../../../../testing/program.ts'

/** The outcome of a command. */
export type Outcome = { readonly status: number | null; readonly out: string; readonly err: string }

/** An empty folder to run commands in, with its own database and none of the developer's settings. */
export type Folder = AsyncDisposable & {
  readonly path: string
  readonly env: Record<string, string>
  start(words: string[], env?: Record<string, string>): ChildProcess
  run(words: string[], env?: Record<string, string>): Promise<Outcome>
}

/** Makes such a folder; `given` is added to the environment of its commands. */
export async function inFolder(given: Record<string, string> = {}): Promise<Folder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-cli-'))
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: String(await freePort()), LOG_FORMAT: 'json', ...given }
  const start: Folder['start'] = (words, more = {}) =>
    spawn(process.execPath, [program, ...words], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    path: folder,
    env,
    start,
    run: (words, more) =>
      new Promise((resolve, reject) => {
        const child = start(words, more)
        let out = ''
        let err = ''
        child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
          out += chunk
        })
        child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
          err += chunk
        })
        child.once('error', reject)
        child.once('close', (status) => resolve({ status, out, err }))
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
