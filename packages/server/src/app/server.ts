import type { BillingCallName } from '@tollgate/contract/billing'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { Answer } from '@tollgate/contract/types'
import type { AuthInput } from '../features/auth-api.ts'
import type { BillingInput } from '../features/billing-api.ts'
import { features, featuresOn, jobHandlers } from '../features/features.ts'
import type { HandledCall } from '../features/identity/auth-handler.ts'
import {
  type Config,
  ConfigError,
  type Environment,
  resolveConfig,
  type TollgateConfig,
} from '../foundation/config/config.ts'
import type { Context } from '../foundation/context.ts'
import { toResponse, toTollgateError } from '../foundation/http/answer.ts'
import type { AnyApi, CallInput } from '../foundation/http/api.ts'
import { dispatch } from '../foundation/http/dispatch.ts'
import type { RequestOptions } from '../foundation/http/request.ts'
import { fromFetch } from '../foundation/http/request.ts'
import { type App, apis, assertOpen, createApp, ownPaths } from './app.ts'
import { type ContextOptions, createContext } from './context.ts'
import { createResealHandler, scheduleReseal } from './reseal.ts'
import { createSweepHandler, scheduleSweep } from './sweep.ts'

/** The calls as functions: `api.signInEmail({ body, headers })` answers, or throws a `TollgateError`. */
export type Api = AuthApi & BillingApi

type AuthApi = {
  [Name in HandledCall]: {
    (input?: AuthInput<Name>): Promise<Answer<Name>>
    /** With the headers of the answer, such as a browser's cookies. */
    (input: AuthInput<Name> & { returnHeaders: true }): Promise<{ response: Answer<Name>; headers: Headers }>
  }
}

/**
 * The billing calls, in camelCase. Without a session or a token in the headers they act for the organization that
 * `organizationId` names, in the body of calls that create something, else in the query.
 */
type BillingApi = {
  [Name in BillingCallName]: {
    (input?: BillingInput<Name>): Promise<BillingAnswer<Name>>
    (input: BillingInput<Name> & { returnHeaders: true }): Promise<{ response: BillingAnswer<Name>; headers: Headers }>
  }
}

export type Tollgate = {
  /** A Fetch handler, mountable in any framework. `remoteAddress` is the peer of the connection. */
  readonly handler: (request: Request, options?: RequestOptions) => Promise<Response>
  readonly api: Api
  /** Refuses new requests and jobs, waits for running ones, and closes the database. */
  close(): Promise<void>
  /** For programs that run a server; applications should not rely on it. */
  readonly internals: {
    readonly ctx: Context
    readonly app: App
    /** The handler for requests that need no `Request` and no `Response`. */
    readonly answer: App['answer']
  }
}

export type TollgateOptions = ContextOptions & {
  /** False: this process runs no jobs, and another one does. */
  readonly jobs?: boolean
  /** Default: the process's environment. */
  readonly env?: Environment
  readonly developmentSecret?: () => string
}

/** Checks the settings together with the served paths. Throws a `ConfigError`. */
export const readConfig = (file: unknown, env: Environment, developmentSecret?: () => string): Config =>
  resolveConfig(file, env, { ownPaths, ...(developmentSecret && { developmentSecret }) })

/** Checks the configuration, migrates the database, starts the jobs. Throws a `ConfigError` for wrong settings. */
export async function createTollgate(config: TollgateConfig = {}, options: TollgateOptions = {}): Promise<Tollgate> {
  const { env = process.env, developmentSecret } = options
  const resolved = readConfig(config, env, developmentSecret)
  const problems = await Promise.all(featuresOn(resolved).map(({ problems: find }) => find?.(resolved) ?? []))
  if (problems.flat().length > 0) throw new ConfigError(problems.flat())
  const ctx = await createContext(resolved, options)
  const app = createApp(ctx)
  if (options.jobs !== false) await startJobs(ctx)
  const underWay = createTally()
  const { counted } = underWay
  const answer: App['answer'] = (request, requestOptions) => counted(app.answer(request, requestOptions))
  return {
    handler: async (request, requestOptions) => toResponse(await answer(fromFetch(request), requestOptions)),
    api: createApi(ctx, counted),
    close: () => close(ctx, underWay),
    internals: { ctx, app, answer },
  }
}

async function startJobs(ctx: Context): Promise<void> {
  await scheduleSweep(ctx)
  await scheduleReseal(ctx)
  for (const { recurring } of featuresOn(ctx.config)) await recurring?.(ctx)
  ctx.jobs.start({ ...jobHandlers(ctx), sweep: createSweepHandler(ctx), reseal: createResealHandler(ctx) })
}

function createApi(ctx: Context, counted: <T>(work: Promise<T>) => Promise<T>): Api {
  // Like the handler: starts nothing after the close, and turns every failure into a refusal of the table.
  const run = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
    try {
      assertOpen(ctx)
      return await counted(work())
    } catch (cause) {
      throw toTollgateError(cause, ctx.log, { call })
    }
  }
  const entriesOf = (api: AnyApi) =>
    Object.keys(api.calls)
      .filter((name) => api.handlers[name] !== undefined)
      .map((name) => [
        name,
        async (input: CallInput & { returnHeaders?: boolean } = {}) => {
          const done = await run(name, () => dispatch(ctx, api, name, input))
          // By the redirect, not by the answer: without a session the answer is null, and must stay null.
          const response: unknown = done.redirect ? { redirect: true, url: done.redirect.location } : done.answer
          if (!input.returnHeaders) return response
          const headers = new Headers(done.headers)
          for (const cookie of done.caller.cookies.outgoing()) headers.append('set-cookie', cookie)
          return { response, headers }
        },
      ])
  return Object.fromEntries(apis.flatMap(entriesOf)) as Api // one function per routed call, by its name
}

/** Counts running work. A set of it would cost every request dearly: V8 keeps what an outgrown set has held. */
type Tally = {
  counted<T>(work: Promise<T>): Promise<T>
  /** Resolves once no work runs. */
  none(): Promise<void>
}

function createTally(): Tally {
  let running = 0
  let waiting: (() => void)[] = []
  const ended = () => {
    running -= 1
    if (running > 0) return
    for (const tell of waiting) tell()
    waiting = []
  }
  return {
    counted: (work) => {
      running += 1
      work.then(ended, ended)
      return work
    },
    none: async () => {
      if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

async function close(ctx: Context, underWay: Tally): Promise<void> {
  ctx.lifecycle.state = 'closed'
  const jobsEnded = ctx.jobs.stop()
  // Finishes the mail being sent; waiting mails return to the queue.
  ctx.mail.close()
  await jobsEnded
  await underWay.none()
  await ctx.settled()
  for (const { onClose } of features) await onClose?.(ctx)
  await ctx.database.close()
}
