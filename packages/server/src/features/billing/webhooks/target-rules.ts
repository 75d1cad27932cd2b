import type { Config } from '../../../foundation/config/config.ts'
import type { TargetRules } from './webhook-target.ts'

/** The configured webhook targets: private networks are allowed in development, unless configured otherwise. */
export const targetRules = ({ billing, mode }: Config): TargetRules => ({
  allowPrivateNetworks: billing === false ? false : (billing.webhooks.allowPrivateNetworks ?? mode === 'development'),
  isProduction: mode === 'production',
})
