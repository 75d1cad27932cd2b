import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Payments } from './processor.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

/** The processors of this installation, by name; the sandbox besides, because its stand-in pages are served here. */
export function createPayments(
  config: Config,
  needs: Pick<Context, 'db' | 'transaction' | 'clock' | 'secrets'>,
): Payments & { readonly sandbox: Sandbox } {
  const sandbox = createSandbox(config, needs)
  return {
    sandbox,
    forNewCheckouts: sandbox,
    byName: (name) => (name === 'sandbox' ? sandbox : undefined),
  }
}
