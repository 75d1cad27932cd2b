/** What the rule for texts cannot see for itself, each with a reason. */

type ComputedKeys = {
  readonly folder: string
  /** Keys of its texts. The star stands for what the code computes. */
  readonly keys: string
  /** The files that name what the star stands for. A text of another name is unused. */
  readonly named: readonly string[]
  readonly why: string
}

const pages = 'packages/react/src/locales'
const mails = 'packages/server/src/foundation/mail'
const dashboard = 'apps/web/src/dashboard/locales'
const administration = 'apps/web/src/dashboard/admin/locales'
const errorTables = ['error-text', 'admin-error-text', 'organization-error-text'].map(
  (name) => `packages/react/src/i18n/${name}.ts`,
)

/** Texts of the pages of administrators: why the code computes their keys, which they are, and the file that names them. */
const ofAdministration: readonly (readonly [why: string, named: string, ...keys: string[]])[] = [
  [
    'a list gets all texts of its empty state at once',
    'apps/web/src/dashboard/parts/list.tsx',
    ...['attention', 'audit', 'disputes', 'jobs', 'organizations', 'users'].map((page) => `${page}.noMatch.*`),
  ],
  [
    'a page gets all texts of its empty state at once',
    'apps/web/src/dashboard/parts/states.tsx',
    ...['organization.gone.*', 'user.gone.*', 'organizations.none.*', 'users.nobody.*'],
  ],
  [
    'the order or the standing in the address is the key of its name',
    'apps/web/src/dashboard/admin/organizations/organizations.resource.ts',
    ...['organizations.sorts.*', 'organizations.standings.*'],
  ],
  ['the order in the address is its key', 'apps/web/src/dashboard/admin/users/users.resource.ts', 'users.sorts.*'],
  ['the choice is its key', 'apps/web/src/dashboard/admin/users/ban-duration.ts', 'userDialogs.ban.durations.*'],
  ['the mode is its key', 'packages/contract/src/joining.schemas.ts', 'organization.domains.joinModes.*'],
  ['the kind of the object is its key', 'packages/contract/src/admin.schemas.ts', 'jobs.subjects.*'],
  ['what differs is its key', 'packages/contract/src/admin.schemas.ts', 'attention.details.*'],
  ['the kind of money to check is its key', 'packages/contract/src/billing/processor.schemas.ts', 'attention.kinds.*'],
  ['the processor is its key', 'packages/contract/src/billing/processor.schemas.ts', 'disputes.processors.*'],
  ['the type of the event is its key', 'packages/contract/src/events/account.events.ts', 'events.*'],
  ['the type of the event is its key', 'packages/contract/src/events/organization.events.ts', 'events.*'],
  [
    'the member of the event, or the server’s own term in it, is its key',
    'apps/web/src/dashboard/admin/audit/event-text.ts',
    ...['details.labels.*', 'details.values.by.*', 'details.values.method.*'],
  ],
  ['the kind of the job is its key', 'packages/server/src/foundation/jobs.ts', 'jobs.kinds.*'],
  ['the template of the mail is its key', `${mails}/mail-data.ts`, 'jobs.mails.*'],
]

/** Texts that code finds by a computed key. */
export const computedKeys: readonly ComputedKeys[] = [
  {
    folder: 'apps/web/src/hosted/locales',
    keys: 'places.*',
    named: ['apps/web/src/organization-places.ts'],
    why: 'the page or the group of the navigation is the key of its name',
  },
  {
    folder: dashboard,
    keys: 'shell.*',
    named: ['apps/web/src/organization-places.ts'],
    why: 'the page or the group of the navigation is the key of its name',
  },
  {
    folder: pages,
    keys: 'password.*',
    named: ['packages/react/src/components/password-strength.ts'],
    why: 'the strength of a password is its key',
  },
  {
    folder: pages,
    keys: 'errorPage.*',
    named: ['packages/react/src/i18n/error-text.ts'],
    why: 'the code of a failed redirect is its key',
  },
  ...[
    'verifyEmail.*Title',
    'verifyEmail.*Text',
    'emailChange.*Title',
    'emailChange.*Text',
    'emailChange.*TextNoAddress',
    'magicLink.*Title',
    'magicLink.*Text',
  ].map((keys) => ({
    folder: pages,
    keys,
    named: ['packages/contract/src/pages.ts'],
    why: 'the page’s status begins the key',
  })),
  ...['checkout.*Title', 'checkout.*Text'].map((keys) => ({
    folder: `${pages}/billing`,
    keys,
    named: ['packages/contract/src/billing/checkout.schemas.ts'],
    why: 'the status of a closed checkout begins the key',
  })),
  {
    folder: `${pages}/billing`,
    keys: 'billingErrors.*',
    named: ['packages/react/src/components/billing/checkout-values.ts'],
    why: 'the problem of a value names its text',
  },
  {
    folder: `${pages}/joining`,
    keys: 'organizationErrors.*',
    named: ['packages/react/src/i18n/organization-error-text.ts'],
    why: 'a table names the text of each refusal',
  },
  {
    folder: `${pages}/joining`,
    keys: 'roleNames.*',
    named: ['packages/contract/src/access-control.ts'],
    why: 'the name of a role is its key',
  },
  ...['organizationRoles.resources.*', 'organizationRoles.actions.*'].map((keys) => ({
    folder: `${pages}/organization`,
    keys,
    named: ['packages/contract/src/access-control.ts', 'packages/contract/src/billing/scopes.ts'],
    why: 'a permission is the key of its name',
  })),
  {
    folder: `${pages}/organization`,
    keys: 'organizationAudit.events.*',
    named: ['packages/contract/src/events/organization.events.ts'],
    why: 'the type of an event is the key of its name',
  },
  ...['subject', 'preview', 'heading', 'body', 'button', 'code', 'after'].map((part) => ({
    folder: `${mails}/locales`,
    keys: `*.${part}`,
    named: [`${mails}/mail-data.ts`],
    why: 'templates.ts and mail-html.ts draw each part of every mail',
  })),
  {
    folder: `${mails}/locales`,
    keys: 'webhookReasons.*',
    named: [`${mails}/mail-data.ts`],
    why: 'the reason of a disabled webhook is the key of its sentence',
  },
  {
    folder: `${mails}/locales`,
    keys: 'attentionReasons.*',
    named: ['packages/contract/src/billing/processor.schemas.ts'],
    why: 'the kind of money to check is the key of its reason',
  },
  {
    folder: `${mails}/locales`,
    keys: 'paymentReasons.*',
    named: ['packages/server/src/features/billing/subscriptions/dunning-mails.ts'],
    why: 'the reason of a declined renewal is the key of its sentence',
  },
  {
    folder: `${mails}/locales`,
    keys: 'paymentSteps.*',
    named: ['packages/server/src/features/billing/subscriptions/dunning.service.ts'],
    why: 'the step that follows a failed renewal is the key of its sentence',
  },
  {
    folder: `${mails}/locales`,
    keys: 'overdueSteps.*',
    named: [
      'packages/server/src/features/billing/subscriptions/dunning.service.ts',
      'packages/server/src/features/billing/subscriptions/collect-invoice.service.ts',
    ],
    why: 'what follows an overdue invoice is the key of its sentence',
  },
  {
    folder: `${mails}/locales`,
    keys: 'resumedSteps.*',
    named: ['packages/server/src/features/billing/subscriptions/life-mails.ts'],
    why: 'how the period after a pause is paid is the key of its sentence',
  },
  {
    folder: `${mails}/locales`,
    keys: 'renewalSteps.*',
    named: ['packages/server/src/features/billing/subscriptions/reminders.ts'],
    why: 'what follows at a renewal, or at the end of a trial, is the key of its sentence',
  },
  {
    folder: 'packages/server/src/features/billing/documents/locales',
    keys: 'title.*',
    named: ['packages/server/src/features/billing/documents/drawing/document-content.ts'],
    why: 'the kind of a document is the key of its title',
  },
  {
    folder: dashboard,
    keys: 'status.*',
    named: ['apps/web/src/dashboard/parts/status.tsx'],
    why: 'the status of a sale is the key of its name',
  },
  {
    folder: dashboard,
    keys: 'disputeReasons.*',
    named: ['packages/server/src/features/billing/webhooks/dispute-reasons.ts'],
    why: 'the reason, as processors call it, is its key',
  },
  {
    folder: 'apps/web/src/dashboard/seller/locales/webhooks',
    keys: 'webhook.events.objects.*',
    named: ['packages/contract/src/events/objects.ts'],
    why: 'the object of an event is the key of its name',
  },
  {
    folder: dashboard,
    keys: 'refusals.*',
    named: errorTables,
    why: 'the code of a refusal is its key',
  },
  ...ofAdministration.flatMap(([why, named, ...rows]) =>
    rows.map((keys) => ({ folder: administration, keys, named: [named], why })),
  ),
]

/** English texts that are right in other languages too, which share the word. */
export const sameAsInEnglish: Readonly<Record<string, readonly string[]>> = {
  Actions: ['fr'],
  Administration: ['de', 'fr'],
  Administrator: ['de', 'pl'],
  'Code: {code}': ['de'],
  'Code {code}': ['de'],
  // Printed on the key.
  Ctrl: ['es', 'fr', 'pl', 'ru', 'tr', 'uk'],
  Date: ['fr'],
  Description: ['fr'],
  Domain: ['de'],
  Domains: ['de'],
  Error: ['es'],
  Filter: ['de'],
  Invitations: ['fr'],
  Host: ['de'],
  Logo: ['de', 'fr', 'pl', 'tr'],
  Mail: ['de'],
  Name: ['de'],
  Optional: ['de'],
  Pages: ['fr'],
  Person: ['de'],
  Sandbox: ['es', 'fr', 'pl'],
  Status: ['de'],
  // A name.
  Stripe: ['de'],
  Subtotal: ['es'],
  Team: ['de'],
  Teams: ['de'],
  Text: ['de'],
  Total: ['es', 'fr'],
  // The Polish tax authority uses the English abbreviation.
  VAT: ['pl'],
  Webhooks: ['de', 'es', 'fr'],
  // The page of a failed redirect shows this word in place of a code.
  Unknown: ['de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'],
  Code: ['de'],
  // Names.
  Discord: ['de'],
  Facebook: ['de'],
  GitHub: ['de'],
  Instagram: ['de'],
  LinkedIn: ['de'],
  Slack: ['de'],
  TikTok: ['de'],
  YouTube: ['de'],
  Format: ['de'],
  JSON: ['de'],
  Link: ['de'],
  Maximum: ['de'],
  Minimum: ['de'],
  Slug: ['de'],
  Test: ['de'],
  URL: ['de'],
  Website: ['de'],
  // Left to right: the direction of a mail's language is no text.
  ltr: ['de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'],
}

/** Folders that some languages do not have yet, with those that they have. */
export const startedFolders = (folder: string): readonly string[] | undefined =>
  folder.startsWith('apps/web/src/dashboard/') ? ['en', 'de'] : undefined
