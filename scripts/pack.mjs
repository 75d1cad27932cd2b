// Makes the published packages from what `npm run build` built. In the repository `exports` points to the sources; npm
// cannot change that on publishing, and Node strips no types inside node_modules, so each package gets a folder of its
// own under release/ that points to dist.
//
//   node scripts/pack.mjs     the folders, and a tarball of each
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './run-tool.mjs'

const release = path.join(root, 'release')

/** Makes release/<package> for every package that is not private; answers with the folders. */
export function assembleReleases() {
  rmSync(release, { recursive: true, force: true })
  const packages = path.join(root, 'packages')
  return readdirSync(packages)
    .map((name) => ({ from: path.join(packages, name), manifest: manifestIn(path.join(packages, name)) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ from, manifest }) => assemble(from, manifest))
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
}

function assemble(from, manifest) {
  const folder = path.join(release, manifest.name.split('/').at(-1))
  if (!existsSync(path.join(from, 'dist'))) throw new Error(`${manifest.name} is not built: run npm run build`)
  mkdirSync(folder, { recursive: true })
  cpSync(path.join(from, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.tsbuildinfo') && !isLeftover(file, from),
  })
  // The compiler leaves style sheets and other assets where they are.
  cpSync(path.join(from, 'src'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !/\.tsx?$/.test(file),
  })
  if (manifest.bin) cpSync(path.join(from, 'bin'), path.join(folder, 'bin'), { recursive: true })
  if (manifest.name === 'tollgate') copyWeb(path.join(folder, 'web'))

  const readme = [from, root].map((place) => path.join(place, 'README.md')).find((file) => existsSync(file))
  if (readme) cpSync(readme, path.join(folder, 'README.md'))
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))

  const { scripts: _scripts, devDependencies: _devDependencies, ...kept } = manifest
  const published = {
    ...kept,
    exports: publishedExports(manifest.exports, existsSync(path.join(folder, 'dist/program'))),
    files: ['bin', 'dist', 'web'].filter((name) => existsSync(path.join(folder, name))),
    // Packages with a scope are private to the registry's account unless they say otherwise.
    publishConfig: { access: 'public' },
  }
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  return folder
}

/** The compiler leaves what it made of a source that was renamed or removed since. */
function isLeftover(file, from) {
  const made = path.relative(path.join(from, 'dist'), file).match(/^(.+?)(\.d\.ts|\.js|\.json)$/)
  if (!made || made[1].startsWith('program')) return false
  const endings = made[2] === '.json' ? ['.json'] : ['.ts', '.tsx']
  return !endings.some((ending) => existsSync(path.join(from, 'src', made[1] + ending)))
}

/** The server serves the pages that lie beside its dist. */
function copyWeb(to) {
  const built = path.join(root, 'apps/web/dist')
  if (!existsSync(built)) throw new Error('The web app is not built: run npm run build')
  cpSync(built, to, { recursive: true, filter: (file) => path.basename(file) !== '.sources' })
}

/** Types keep their source's path. So does JavaScript, unless it is bundled into one folder (scripts/build-server.ts). */
function publishedExports(exports, isBundled) {
  return Object.fromEntries(
    Object.entries(exports).map(([entry, source]) => {
      const name = source.replace(/^\.\/src\//, '')
      const stem = name.replace(/\.tsx?$/, '')
      const script = isBundled ? `program/${path.basename(stem)}` : stem
      const built = { types: `./dist/${stem}.d.ts`, default: `./dist/${script}.js` }
      return [entry, stem === name ? `./dist/${name}` : built]
    }),
  )
}

function packTarball(folder) {
  const npm = process.env.npm_execpath
  const [file, args] = npm ? [process.env.npm_node_execpath ?? process.execPath, [npm]] : ['npm', []]
  const { status } = spawnSync(file, [...args, 'pack', '--loglevel=error', '--pack-destination', release], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`npm pack failed in ${folder}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of assembleReleases()) packTarball(folder)
}
