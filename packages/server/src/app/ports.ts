import { createDiskStore, type FileStore } from '../features/billing/catalog/files/store.ts'
import { checkoutSettler } from '../features/billing/checkout/settle-checkout.service.ts'
import { createPress } from '../features/billing/documents/press.ts'
import { createLive } from '../features/billing/live/live.ts'
import { sellingOfOrganizations } from '../features/billing/merchant/approval.service.ts'
import { createPayments } from '../features/billing/payments/payments.ts'
import { purchasesOfBuyers } from '../features/billing/settlement/buyer-deletion.ts'
import { purchasesOfCustomers } from '../features/billing/settlement/customer-deletion.ts'
import { balanceSettler } from '../features/billing/settlement/settle-order.service.ts'
import { setupSettler } from '../features/billing/settlement/setup-settler.ts'
import { changeSettler } from '../features/billing/subscriptions/change-settler.ts'
import { renewalSettler } from '../features/billing/subscriptions/dunning.service.ts'
import { createTaxProvider } from '../features/billing/tax/tax-provider.ts'
import { createPasswordHasher, type PasswordCost } from '../features/identity/passwords.ts'
import { listImportedPasswords } from '../features/identity/user.repository.ts'
import { createKeyRing } from '../features/jwt/keys.service.ts'
import { organizationsOfUsers } from '../features/organization/deletion.ts'
import { createDarkroom } from '../features/pictures/darkroom.ts'
import type { Foundation, Ports } from '../foundation/context.ts'
import { createRateLimiter } from '../foundation/http/rate-limit.ts'
import { createMailTransport } from '../foundation/mail/transport.ts'

/** Ports that tests and server code may replace. */
export type GivenPorts = {
  /** The storage of uploaded files; default: the configured directory. */
  readonly files?: FileStore
  /** The cost of password hashing in development, for tests with thousands of sign-ups; production ignores it. */
  readonly passwordCost?: PasswordCost
}

/**
 * Makes every port. The return type is inferred, so that our published types import each file that declares a port:
 * otherwise a program that uses them would not see the ports.
 */
export function createPorts(foundation: Foundation, given: GivenPorts) {
  const { config, database, db, clock, log, fetch } = foundation
  const { billing, hooks } = config
  return {
    mail: createMailTransport({
      smtpUrl: config.smtpUrl,
      from: config.emailFrom,
      sendEmail:
        hooks.sendEmail &&
        (async (mail) => void (await hooks.sendEmail?.({ ...mail, attachments: mail.attachments ?? [] }))),
    }),
    limits: createRateLimiter(config, database, clock),
    passwords: createPasswordHasher(
      log,
      () => listImportedPasswords(db),
      config.mode === 'development' ? given.passwordCost : undefined,
    ),
    organizationsOfUsers,
    selling: sellingOfOrganizations,
    keyRing: createKeyRing(),
    payments: createPayments(config, foundation),
    // Where billing is off, nothing needs files.
    files: given.files ?? createDiskStore(billing === false ? '.' : billing.files.directory),
    purchases: purchasesOfCustomers,
    purchasesOfBuyers,
    settlers: {
      checkout: checkoutSettler,
      order: renewalSettler,
      change: changeSettler,
      setup: setupSettler,
      balance: balanceSettler,
    },
    tax: createTaxProvider(config, fetch),
    darkroom: createDarkroom(),
    live: createLive(foundation),
    press: createPress(billing === false ? [] : billing.documents.fonts),
  } satisfies Ports
}
