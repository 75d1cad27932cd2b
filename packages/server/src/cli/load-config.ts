import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Config, ConfigError, resolveConfig, type TollgateConfig } from '../config.ts'

const candidates = ['tollgate.config.ts', 'tollgate.config.mjs', 'tollgate.config.js']

/** The configuration file's values: the one that TOLLGATE_CONFIG names, else one beside us, else none. */
export async function loadConfigFile(): Promise<TollgateConfig> {
  const named = process.env.TOLLGATE_CONFIG
  // An empty variable counts as left out, as everywhere.
  const file = named || candidates.find((name) => existsSync(name))
  if (!file) return {}
  const address = path.resolve(file)
  if (!existsSync(address))
    throw new ConfigError([`TOLLGATE_CONFIG is ${JSON.stringify(named)}: there is no such file`])
  const module = (await import(pathToFileURL(address).href)) as { default?: unknown }
  if (typeof module.default !== 'object' || module.default === null) {
    throw new ConfigError([`${file} has no default export: write \`export default defineConfig({ … })\``])
  }
  return module.default as TollgateConfig // checked by resolveConfig
}

/** The secret of a development installation: made once, kept beside the database, never committed. */
export function developmentSecret(): string {
  const file = path.resolve('data/secret')
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}

/** File and environment, checked. */
export async function loadConfig(): Promise<Config> {
  return resolveConfig(await loadConfigFile(), process.env, { developmentSecret })
}
