import type { Context } from '../../../foundation/context.ts'

/** A value that each server of a process keeps for its lifetime. */
export function perServer<T>(make: () => T): (ctx: Context) => T {
  const kept = new WeakMap<Context, T>()
  return (ctx) => {
    const before = kept.get(ctx)
    if (before !== undefined) return before
    const made = make()
    kept.set(ctx, made)
    return made
  }
}
