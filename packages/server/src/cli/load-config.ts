import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { readConfig } from '../app/server.ts'
import { type Config, ConfigError, type TollgateConfig } from '../foundation/config/config.ts'
import { messageOf } from '../foundation/proof/proven.ts'
import { faultOf } from './file-fault.ts'

const candidates = ['tollgate.config.ts', 'tollgate.config.mjs', 'tollgate.config.js']

/** The values of the file that TOLLGATE_CONFIG names, else of one in the current directory, else none. */
export async function loadConfigFile(): Promise<TollgateConfig> {
  const named = process.env.TOLLGATE_CONFIG
  // An empty variable counts as unset, as everywhere.
  const file = named || candidates.find((name) => existsSync(name))
  if (!file) return {}
  const address = path.resolve(file)
  if (!existsSync(address))
    throw new ConfigError([`TOLLGATE_CONFIG is ${JSON.stringify(named)}: the file does not exist`])
  return optionsOf(await importFile(address, file), file)
}

/** The exports of a configuration file. Throws a `ConfigError` that says where the file fails. */
async function importFile(address: string, file: string): Promise<object> {
  try {
    return await import(pathToFileURL(address).href)
  } catch (error) {
    throw new ConfigError([`${file} cannot be read: ${faultOf(error, address)}`])
  }
}

/** The options among a file's exports; `readConfig` checks them. */
function optionsOf(module: object, file: string): TollgateConfig {
  if (!('default' in module))
    throw new ConfigError([`${file} has no default export: write \`export default defineConfig({ … })\``])
  const { default: given } = module
  if (typeof given === 'object' && given !== null && !(given instanceof Promise)) return given
  const kind = given instanceof Promise ? 'a promise' : given === null ? 'null' : `a value of type ${typeof given}`
  throw new ConfigError([`${file} exports ${kind}: must be an object, \`export default defineConfig({ … })\``])
}

/**
 * The secret of a development installation: created once, stored beside the database, never committed. Throws a
 * `ConfigError` if it cannot be stored.
 */
export function developmentSecret(): string {
  try {
    return keptSecret(path.resolve('data/secret'))
  } catch (error) {
    throw new ConfigError([`SECRET is missing, and none can be stored in ./data/secret: ${messageOf(error)}`])
  }
}

function keptSecret(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}

/** The checked settings of file and environment. */
export async function loadConfig(): Promise<Config> {
  return readConfig(await loadConfigFile(), process.env, developmentSecret)
}
