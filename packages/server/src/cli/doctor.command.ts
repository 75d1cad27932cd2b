import { countOfInvariants, violationsOfBooks } from '../features/billing/books/books.service.ts'
import { hasScriptFonts } from '../features/billing/documents/drawing/script-fonts.ts'
import { examineStripe } from '../features/billing/payments/stripe-check.ts'
import { sealedColumns } from '../features/features.ts'
import { findOwnerless } from '../features/organization/owner-check.service.ts'
import { monotonic, systemClock } from '../foundation/clock.ts'
import { type Config, isBillingServed } from '../foundation/config/config.ts'
import { type Db, openDatabase } from '../foundation/db/database.ts'
import { pendingMigrations } from '../foundation/db/migrate.ts'
import { createMailTransport } from '../foundation/mail/transport.ts'
import { messageOf } from '../foundation/proof/proven.ts'
import { countOutdated } from '../foundation/sealed-columns.ts'
import { createSecrets } from '../foundation/token.ts'
import { type Command, readOptions, UsageError } from './command.ts'
import { loadConfig } from './load-config.ts'

type Finding = { readonly check: string; readonly ok: boolean; readonly detail: string }

export const doctor: Command = {
  name: 'doctor',
  usage: '[--books] [--json]',
  summary:
    'Checks settings, database, mail, clock and Stripe; --books verifies every order, payment and refund. Exits with 1 if a check fails.',
  run: async (words) => {
    const { values } = readOptions(words, { json: { type: 'boolean' }, books: { type: 'boolean' } })
    if (values.books) return examineBooks(values.json === true)
    const findings = await examine()
    if (values.json) console.log(JSON.stringify(findings))
    else for (const { check, ok, detail } of findings) console.log(`${ok ? '✓' : '✗'} ${check.padEnd(9)} ${detail}`)
    return findings.every(({ ok }) => ok) ? 0 : 1
  },
}

/** Verifies the books and prints a line for each violation. */
async function examineBooks(asJson: boolean): Promise<number> {
  const { databaseUrl } = await loadConfig()
  const database = openDatabase(databaseUrl)
  try {
    const pending = await pendingMigrations(database)
    if (pending.length > 0) throw new UsageError('The database has pending migrations: run tollgate migrate')
    const violations = await violationsOfBooks(database.db)
    if (asJson) console.log(JSON.stringify(violations))
    else if (violations.length === 0) console.log(`✓ books     all ${countOfInvariants} invariants hold`)
    else for (const { invariant, subject, detail } of violations) console.log(`✗ ${invariant}: ${subject}: ${detail}`)
    return violations.length === 0 ? 0 : 1
  } finally {
    await database.close()
  }
}

async function examine(): Promise<Finding[]> {
  let config: Config
  try {
    config = await loadConfig()
  } catch (error) {
    return [{ check: 'settings', ok: false, detail: messageOf(error) }]
  }
  const settings: Finding = {
    check: 'settings',
    ok: true,
    detail: `${config.mode} at ${config.baseURL.origin}, Node ${process.versions.node}`,
  }
  const stripe = config.stripe ? await examineStripe(config, config.stripe, fetch) : []
  const documents = isBillingServed(config) ? [checkDocuments()] : []
  return [settings, ...(await checkDatabase(config)), await checkMail(config), ...documents, ...stripe]
}

/** No fault either way: many sellers have no buyers with names in further scripts. */
const checkDocuments = (): Finding => ({
  check: 'documents',
  ok: true,
  detail: hasScriptFonts()
    ? 'invoices have the fonts of all supported scripts'
    : 'invoices have Latin, Greek, Cyrillic and Devanagari letters: install @tollgate/documents-fonts for other scripts',
})

/** The largest harmless difference between our clock and the database's, in milliseconds. */
const skewLimit = 5000

async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    const database = openDatabase(config.databaseUrl)
    try {
      const startedAt = monotonic()
      await database.ping()
      const pending = await pendingMigrations(database)
      const took = Math.round(monotonic() - startedAt)
      const detail =
        pending.length === 0
          ? `${database.dialect}, up to date, responds in ${took} ms`
          : `${database.dialect}, ${pending.length} pending migrations: run tollgate migrate`
      const skew = Math.abs((await database.now()).getTime() - systemClock.now().getTime())
      // Without all migrations, the tables may be missing.
      const ownerless = pending.length === 0 ? await findOwnerless(database.db, config) : undefined
      const secrets = pending.length === 0 ? await checkSecrets(database.db, config) : []
      return [
        { check: 'database', ok: pending.length === 0, detail },
        { check: 'clock', ok: skew <= skewLimit, detail: `${Math.round(skew)} ms from the database’s clock` },
        ...secrets,
        ...(ownerless ? [{ check: 'owners', ok: false, detail: ownerless }] : []),
      ]
    } finally {
      await database.close()
    }
  } catch (error) {
    return [{ check: 'database', ok: false, detail: messageOf(error) }]
  }
}

/** Whether stored values still need SECRET_PREVIOUS. Not a fault: a running server seals them anew. */
async function checkSecrets(db: Db, { secret, previousSecrets }: Config): Promise<Finding[]> {
  if (previousSecrets.length === 0) return []
  const secrets = createSecrets(secret, previousSecrets)
  let outdated = 0
  for (const column of sealedColumns) outdated += await countOutdated(db, secrets, column)
  const detail =
    outdated === 0
      ? 'no stored value needs SECRET_PREVIOUS'
      : `${outdated} stored values still need SECRET_PREVIOUS: each start seals them under SECRET`
  return [{ check: 'secrets', ok: true, detail }]
}

async function checkMail(config: Config): Promise<Finding> {
  const { smtpUrl, emailFrom: from } = config
  if (config.hooks.sendEmail) return { check: 'mail', ok: true, detail: 'sent by hooks.sendEmail' }
  if (!smtpUrl) {
    const inDevelopment = config.mode === 'development'
    return {
      check: 'mail',
      ok: inDevelopment,
      detail: inDevelopment ? 'inbox at /dev/inbox' : 'SMTP_URL is missing: mails wait in the queue',
    }
  }
  const transport = createMailTransport({ smtpUrl, from })
  try {
    await transport.verify()
    return { check: 'mail', ok: true, detail: `${new URL(smtpUrl).host} accepts the login` }
  } catch (error) {
    return { check: 'mail', ok: false, detail: messageOf(error) }
  } finally {
    transport.close()
  }
}
