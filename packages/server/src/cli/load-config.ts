import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Config, ConfigError, type TollgateConfig } from '../config.ts'
import { readConfig } from '../server.ts'
import { faultOf } from './file-fault.ts'

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
  return optionsOf(await importFile(address, file), file)
}

/** What a configuration file exports. Throws a `ConfigError` that says where it is broken, or has broken off. */
async function importFile(address: string, file: string): Promise<object> {
  try {
    return await import(pathToFileURL(address).href)
  } catch (error) {
    throw new ConfigError([`${file} cannot be read: ${faultOf(error, address)}`])
  }
}

/** The options among what a file exports; they are checked by `readConfig`. */
function optionsOf(module: object, file: string): TollgateConfig {
  if (!('default' in module))
    throw new ConfigError([`${file} has no default export: write \`export default defineConfig({ … })\``])
  const { default: given } = module
  if (typeof given === 'object' && given !== null && !(given instanceof Promise)) return given
  const kind = given instanceof Promise ? 'a promise' : given === null ? 'null' : `a value of type ${typeof given}`
  throw new ConfigError([`${file} exports ${kind}: allowed is an object, \`export default defineConfig({ … })\``])
}

/**
 * The secret of a development installation: made once, kept beside the database, never committed. Throws a `ConfigError`
 * where it cannot be kept.
 */
export function developmentSecret(): string {
  try {
    return keptSecret(path.resolve('data/secret'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`SECRET is missing, and none can be kept in ./data/secret: ${reason}`])
  }
}

function keptSecret(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}

/** File and environment, checked. */
export async function loadConfig(): Promise<Config> {
  return readConfig(await loadConfigFile(), process.env, developmentSecret)
}
