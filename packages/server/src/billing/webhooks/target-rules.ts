import type { Config } from '../../config.ts'
import type { TargetRules } from './webhook-target.ts'

/** Where webhooks may go, as this installation was told: into private networks in development, unless it says otherwise. */
export const targetRules = ({ billing, mode }: Config): TargetRules => ({
  allowPrivateNetworks: billing === false ? false : (billing.webhooks.allowPrivateNetworks ?? mode === 'development'),
  isProduction: mode === 'production',
})
