// `npm run build`: the web app, the packages' JavaScript and types, and the folders that are published (release/).
import path from 'node:path'
import { buildServer } from './build-server.ts'
import { buildWebIfChanged } from './build-web.mjs'
import { assembleReleases } from './pack.mjs'
import { root } from './run-tool.mjs'
import { compile } from './types.mjs'

try {
  console.log((await buildWebIfChanged()) ? '✓ web app built' : '✓ web app is up to date')
  const packages = ['react', 'documents-fonts', 'server'].map((name) => `packages/${name}/tsconfig.build.json`)
  if (!(await compile(packages))) throw new Error('The packages could not be compiled')
  console.log('✓ packages compiled')
  await buildServer()
  console.log('✓ server bundled')
  for (const folder of assembleReleases()) console.log(`✓ ${path.relative(root, folder)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
