import { createTollgate, type Tollgate } from 'tollgate'

// Kept on the global object: in development Next.js reloads this file after each change, and a process must open the
// database only once.
const kept = globalThis as typeof globalThis & { tollgate?: Promise<Tollgate> }

/** The process's server, which the first caller starts; `next build` never calls it. */
export function getTollgate(): Promise<Tollgate> {
  kept.tollgate ??= createTollgate({ appName: 'Notes' })
  return kept.tollgate
}

/** Answers a request that belongs to Tollgate. */
export async function handle(request: Request): Promise<Response> {
  const { handler } = await getTollgate()
  return handler(request)
}
