import { createTollgate, type Tollgate } from 'tollgate'

// Kept on the global object: in development Next.js loads this file anew after each change, and one process must not
// open the database again each time.
const kept = globalThis as typeof globalThis & { tollgate?: Promise<Tollgate> }

/** The server of this process, started by whoever asks first; `next build` never asks. */
export function getTollgate(): Promise<Tollgate> {
  kept.tollgate ??= createTollgate({ appName: 'Notes' })
  return kept.tollgate
}

/** Answers a request that belongs to Tollgate. */
export async function handle(request: Request): Promise<Response> {
  const { handler } = await getTollgate()
  return handler(request)
}
