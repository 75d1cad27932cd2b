// Builds packages/server/dist/program: the server with nearly all that it is made of, in a few files. Against loading its
// modules one by one it starts in half the time and holds some 30 MB less.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { asciiOnly } from './ascii-only.ts'
import { thirdPartyNotices } from './third-party.ts'

const server = path.join(import.meta.dirname, '../packages/server')
const source = (name: string) => path.join(server, 'src', name)

/** The entries: started programs, the library, and threads (own-thread.ts finds them beside its caller). */
const entries = {
  main: source('cli/main.ts'),
  index: source('index.ts'),
  node: source('app/node.ts'),
  testing: source('testing.ts'),
  'reading-thread': source('foundation/db/reading-thread.ts'),
  'developing-thread': source('features/pictures/developing-thread.ts'),
  'press-thread': source('features/billing/documents/press-thread.ts'),
}

/** Stays a package: it brings binaries, is optional, or is large and loaded only where it is used. */
const packages = [
  '@jsquash/jpeg',
  '@jsquash/png',
  '@jsquash/resize',
  '@jsquash/webp',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  '@tollgate/documents-fonts',
  'fontkit',
  'pdfkit',
  'stdnum',
  'stripe',
]

/**
 * Builds the server anew, into packages/server/dist/program by default; throws when that fails. `others` are more
 * packages that stay packages.
 */
export async function buildServer(
  outDir = path.join(server, 'dist/program'),
  others: readonly string[] = [],
): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  await build({
    configFile: false,
    root: server,
    logLevel: 'warn',
    plugins: [asciiOnly, thirdPartyNotices],
    ssr: { noExternal: true, external: [...packages, ...others] },
    build: {
      outDir,
      emptyOutDir: true,
      ssr: true,
      target: 'node24',
      rolldownOptions: {
        input: entries,
        output: { comments: false, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
