import type { BillingCallName } from '@tollgate/contract/billing'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { AuthCallName } from '@tollgate/contract/calls'
import type { Answer } from '@tollgate/contract/types'
import { type App, assertOpen, createApp, ownPaths } from './app.ts'
import { createRenameHandler } from './billing/catalog/custom-field-rename.service.ts'
import { createRemoveFileHandler, readdressFiles } from './billing/catalog/file.service.ts'
import { createDiskStore, type FileStore } from './billing/catalog/files/store.ts'
import { createCheckoutExpiryHandler } from './billing/checkout/checkout-expiry.service.ts'
import { checkFonts } from './billing/documents/check-fonts.ts'
import { attachDocuments } from './billing/documents/document.service.ts'
import { createPress } from './billing/documents/press.ts'
import { createReconcileHandler } from './billing/order/reconcile.service.ts'
import { createPayments } from './billing/payments/payments.ts'
import { createProcessorEventHandler } from './billing/payments/processor-event.service.ts'
import { createLookBackHandler, scheduleLookBack } from './billing/payments/stripe-look-back.service.ts'
import { createReconcileRefundHandler } from './billing/refund/reconcile-refund.service.ts'
import { createTaxProvider } from './billing/tax/tax-provider.ts'
import { createWebhookHandler } from './billing/webhooks/deliver.service.ts'
import { tellEndpoints } from './billing/webhooks/fan-out.service.ts'
import { targetRules } from './billing/webhooks/target-rules.ts'
import { type Clock, movableClock, systemClock } from './clock.ts'
import { type Config, ConfigError, type Environment, resolveConfig, type TollgateConfig } from './config.ts'
import type { Context } from './context.ts'
import { type Database, isUndoneForAnother, openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { findClockOffset } from './dev/dev.repository.ts'
import { createResolveAddresses, type ResolveAddresses, type ResolveTxt, resolveTxt } from './dns.ts'
import { toTollgateError, withBody } from './http/answer.ts'
import { type BillingCallInput, billingRoutes, dispatchBilling, isBillingServed } from './http/billing-dispatch.ts'
import { authRoutes, type CallInput, dispatch, type RoutedCall } from './http/dispatch.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import type { RequestOptions } from './http/request.ts'
import { listImportedPasswords } from './identity/account.repository.ts'
import { createAccountMailHandler } from './identity/account-mail.ts'
import { createPasswordHasher, type PasswordCost } from './identity/passwords.ts'
import { createJobs } from './job-loop.ts'
import { leftJobs, restart } from './jobs.ts'
import { createKeyRing } from './jwt/keys.service.ts'
import { createLogger, type Logger } from './log.ts'
import { createMagicLinkHandler } from './magic-link/magic-link.service.ts'
import { createMailHandler, mailsCanLeave } from './mail/mail.jobs.ts'
import { createMailTransport } from './mail/transport.ts'
import { createJoinByDomainHandler } from './organization/join-by-domain.service.ts'
import { findOwnerless } from './organization/owner-check.service.ts'
import { writeEvents } from './outbox.ts'
import { shownAddress } from './shown-address.ts'
import { createSweepHandler, sweepJobId } from './sweep.ts'
import { createSecrets } from './token.ts'

/** The calls as functions: `api.signInEmail({ body, headers })` answers, or throws a `TollgateError`. */
export type Api = AuthApi & BillingApi

type AuthApi = {
  [Name in RoutedCall]: {
    (input?: CallInput<Name>): Promise<Answer<Name>>
    /** With the headers of the answer: the cookies that a browser would have been given. */
    (input: CallInput<Name> & { returnHeaders: true }): Promise<{ response: Answer<Name>; headers: Headers }>
  }
}

/**
 * The calls of what is sold, in camelCase. Without a session or a token in the headers they act for the organization that
 * `organizationId` names, in the body where something is made, else in the query.
 */
type BillingApi = {
  [Name in BillingCallName]: {
    (input?: BillingCallInput<Name>): Promise<BillingAnswer<Name>>
    (
      input: BillingCallInput<Name> & { returnHeaders: true },
    ): Promise<{ response: BillingAnswer<Name>; headers: Headers }>
  }
}

export type Tollgate = {
  /** A Fetch handler, mountable in any framework. `remoteAddress` is the peer of the connection. */
  readonly handler: (request: Request, options?: RequestOptions) => Promise<Response>
  readonly api: Api
  /** Takes no further requests and jobs, waits for those under way, and closes the database. */
  close(): Promise<void>
  /** For the programs that run a server: not part of what applications should rely on. */
  readonly internals: {
    readonly ctx: Context
    readonly app: App
    /** The handler, but for bodies: a text is still beside its answer (`http/answer.ts`). */
    readonly answer: Tollgate['handler']
  }
}

export type TollgateOptions = {
  /** False: this process runs no jobs; another one does. */
  readonly jobs?: boolean
  /** Default: that of the process. */
  readonly env?: Environment
  readonly clock?: Clock
  readonly log?: Logger
  readonly fetch?: typeof fetch
  /** Where uploaded files are kept; default: the directory of the configuration. */
  readonly files?: FileStore
  readonly resolveTxt?: ResolveTxt
  readonly resolveAddresses?: ResolveAddresses
  readonly developmentSecret?: () => string
  /** Opens the database; default: the one that the configuration names. */
  readonly openDatabase?: (url: string) => Database
  /** What hashing a password costs in development, for tests that sign up thousands; never heard in production. */
  readonly passwordCost?: PasswordCost
}

/** What the server was told, checked together with what it serves whatever it is told. Throws a `ConfigError`. */
export const readConfig = (file: unknown, env: Environment, developmentSecret?: () => string): Config =>
  resolveConfig(file, env, { ownPaths, ...(developmentSecret && { developmentSecret }) })

/** Checks the configuration, brings the database up to date, starts the jobs. Throws a `ConfigError` on wrong settings. */
export async function createTollgate(config: TollgateConfig = {}, options: TollgateOptions = {}): Promise<Tollgate> {
  const { env = process.env, developmentSecret } = options
  const resolved = readConfig(config, env, developmentSecret)
  if (resolved.billing) await refuseWrongFonts(resolved.billing.documents.fonts)
  const ctx = await createContext(resolved, options)
  await readdressFiles(ctx)
  const app = createApp(ctx)
  if (options.jobs !== false) await startJobs(ctx)
  const underWay = new Set<Promise<unknown>>()
  const counted = <T>(work: Promise<T>): Promise<T> => {
    const ended: Promise<unknown> = work.then(
      () => underWay.delete(ended),
      () => underWay.delete(ended),
    )
    underWay.add(ended)
    return work
  }
  const answer: Tollgate['handler'] = (request, requestOptions) => counted(app.handle(request, requestOptions))
  return {
    handler: async (request, requestOptions) => withBody(await answer(request, requestOptions)),
    api: createApi(ctx, counted),
    close: () => close(ctx, underWay),
    internals: { ctx, app, answer },
  }
}

async function refuseWrongFonts(places: readonly string[]): Promise<void> {
  const problems = await checkFonts(places)
  if (problems.length > 0) throw new ConfigError(problems)
}

/** Opens and migrates the database, and puts together what services work with. */
async function createContext(config: Config, options: TollgateOptions): Promise<Context> {
  const log = options.log ?? createLogger({ level: config.logLevel, format: config.logFormat })
  const database = await openReachableDatabase(config.databaseUrl, options.openDatabase ?? openDatabase)
  try {
    const lifecycle: Context['lifecycle'] = { state: 'migrating' }
    const applied = await migrate(database, systemClock.now())
    await database.flush()
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated')
    const ownerless = await findOwnerless(database.db, config)
    if (ownerless) log.warn(ownerless)
    lifecycle.state = 'serving'

    const clock =
      options.clock ?? (config.mode === 'development' ? movableClock(await findClockOffset(database.db)) : systemClock)
    const jobs = createJobs(database, clock, log)
    const running = new Set<Promise<unknown>>()
    const secrets = createSecrets(config.secret, config.previousSecrets)
    const transaction: Context['transaction'] = async (work) => {
      const { result, left } = await again(log, () =>
        database.db.transaction().execute(async (tx) => {
          const value = await work(tx)
          const events = await writeEvents(tx)
          // The last thing that is done: from here on others wait who tell the same endpoints.
          if (events.length > 0 && isBillingServed(config)) await tellEndpoints(tx, events)
          return { result: value, left: leftJobs(tx) }
        }),
      )
      // Not acknowledged, and nothing begun because of it, before it is durable.
      await database.flush()
      if (left) jobs.wake()
      return result
    }
    return {
      config,
      database,
      db: database.db,
      clock,
      secrets,
      passwords: createPasswordHasher(
        log,
        () => listImportedPasswords(database.db),
        config.mode === 'development' ? options.passwordCost : undefined,
      ),
      limits: createRateLimiter(config, database, clock),
      keyRing: createKeyRing(),
      jobs,
      mail: createMailTransport({
        smtpUrl: config.smtpUrl,
        from: config.emailFrom,
        sendEmail:
          config.hooks.sendEmail &&
          (async (mail) => void (await config.hooks.sendEmail?.({ ...mail, attachments: mail.attachments ?? [] }))),
      }),
      // Where billing is off, nobody asks for files.
      files: options.files ?? createDiskStore(config.billing === false ? '.' : config.billing.files.directory),
      payments: createPayments(config, {
        db: database.db,
        transaction,
        clock,
        secrets,
        log,
        fetch: options.fetch ?? fetch,
      }),
      tax: createTaxProvider(config, options.fetch ?? fetch),
      press: createPress(config.billing === false ? [] : config.billing.documents.fonts),
      log,
      lifecycle,
      fetch: options.fetch ?? fetch,
      resolveTxt: options.resolveTxt ?? resolveTxt,
      resolveAddresses:
        options.resolveAddresses ??
        // What only the machine knows is inside.
        createResolveAddresses({ knowsMachine: targetRules(config).allowPrivateNetworks }),
      transaction,
      background: (name, work) => {
        const task: Promise<unknown> = work()
          .catch((error) => log.error({ err: error, task: name }, 'background work failed'))
          .finally(() => running.delete(task))
        running.add(task)
      },
      settled: async () => {
        await Promise.all(running)
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** How often a transaction is begun at most. */
const roundLimit = 3

/** Runs a transaction again that the database has undone for the sake of another one: nothing of it has happened. */
async function again<T>(log: Logger, run: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await run()
    } catch (error) {
      if (round === roundLimit || !isUndoneForAnother(error)) throw error
      log.warn({ err: error, round }, 'a transaction was undone for another one, and is run again')
    }
  }
}

/** A database that is not there is refused in a sentence, a `ConfigError` that names it without its password. */
export async function openReachableDatabase(url: string, open = openDatabase): Promise<Database> {
  let database: Database | undefined
  try {
    database = open(url)
    await database.ping()
    return database
  } catch (error) {
    await database?.close()
    if (error instanceof ConfigError) throw error
    // Where a name has several addresses, each has its own failure and the whole has no text.
    const { message, code } = error as NodeJS.ErrnoException // what the drivers throw
    throw new ConfigError([`DATABASE_URL (${shownAddress(url)}) cannot be opened: ${message || code}`])
  }
}

async function startJobs(ctx: Context): Promise<void> {
  await ctx.transaction((tx) => restart(tx, ctx.clock.now(), { id: sweepJobId, kind: 'sweep' }))
  if (ctx.config.stripe) await ctx.transaction((tx) => scheduleLookBack(tx, ctx.clock.now()))
  if (!mailsCanLeave(ctx)) ctx.log.warn('no SMTP_URL and no sendEmail: mails wait in the queue')
  ctx.jobs.start({
    sweep: createSweepHandler(ctx),
    'account-mail': createAccountMailHandler(ctx),
    'magic-link': createMagicLinkHandler(ctx),
    'join-by-domain': createJoinByDomainHandler(ctx),
    'processor-event': createProcessorEventHandler(ctx),
    'reconcile-payment': createReconcileHandler(ctx),
    'reconcile-refund': createReconcileRefundHandler(ctx),
    'read-stripe-events': createLookBackHandler(ctx),
    'rename-custom-field': createRenameHandler(ctx),
    'remove-file': createRemoveFileHandler(ctx),
    'webhook-endpoint': createWebhookHandler(ctx),
    'expire-checkouts': createCheckoutExpiryHandler(ctx),
    // Without a handler a kind of job is left in the table, until a start with one.
    ...(mailsCanLeave(ctx) && { mail: createMailHandler(ctx, (ids) => attachDocuments(ctx, ids)) }),
  })
}

function createApi(ctx: Context, counted: <T>(work: Promise<T>) => Promise<T>): Api {
  // As the handler does: nothing more is begun once the server is closed, and whatever goes wrong is a refusal of the table.
  const run = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
    try {
      assertOpen(ctx)
      return await counted(work())
    } catch (cause) {
      throw toTollgateError(cause, ctx.log, { call })
    }
  }
  const entries = (Object.keys(authRoutes) as (RoutedCall & AuthCallName)[]).map((name) => [
    name,
    async (input: CallInput<typeof name> & { returnHeaders?: boolean } = {}) => {
      const { answer, redirect, cookies } = await run(name, () => dispatch(ctx, name, input))
      // By the redirect, not by the answer: that nobody is signed in is answered with null, and must stay null.
      const response = redirect === undefined ? answer : { redirect: true, url: redirect }
      if (!input.returnHeaders) return response
      const headers = new Headers()
      for (const cookie of cookies) headers.append('set-cookie', cookie)
      return { response, headers }
    },
  ])
  const billing = (Object.keys(billingRoutes) as BillingCallName[]).map((name) => [
    name,
    async (input: BillingCallInput<typeof name> & { returnHeaders?: boolean } = {}) => {
      const { answer, headers } = await run(name, () => dispatchBilling(ctx, name, input))
      return input.returnHeaders ? { response: answer, headers: new Headers(headers) } : answer
    },
  ])
  return Object.fromEntries([...entries, ...billing]) as Api // one function per routed call, by its name
}

async function close(ctx: Context, underWay: ReadonlySet<Promise<unknown>>): Promise<void> {
  ctx.lifecycle.state = 'closed'
  const jobsEnded = ctx.jobs.stop()
  // A mail that is being handed over is finished; those that wait for their turn go back to the queue.
  ctx.mail.close()
  await jobsEnded
  await Promise.all(underWay)
  await ctx.settled()
  await ctx.press.close()
  await ctx.database.close()
}
