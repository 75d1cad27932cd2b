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
const errorTable = 'packages/react/src/i18n/error-text.ts'

/** The parts of the dashboard that get a group of texts as a whole. */
const parts = {
  list: 'apps/web/src/dashboard/parts/list.tsx',
  empty: 'apps/web/src/dashboard/parts/states.tsx',
}

/** Texts of the pages of administrators, by the file that names them. */
const ofAdministration: Readonly<Record<string, readonly string[]>> = {
  [parts.list]: ['audit', 'disputes', 'jobs', 'organizations', 'users'].map((page) => `${page}.noMatch.*`),
  [parts.empty]: ['organization.gone.*', 'user.gone.*', 'organizations.none.*', 'users.nobody.*'],
  'apps/web/src/dashboard/admin/organizations.search.ts': ['organizations.sorts.*', 'organizations.standings.*'],
  'apps/web/src/dashboard/admin/users.search.ts': ['users.sorts.*'],
  'apps/web/src/dashboard/admin/ban-duration.ts': ['userDialogs.ban.durations.*'],
  'packages/contract/src/joining.schemas.ts': ['organization.domains.joinModes.*'],
  'packages/contract/src/admin.schemas.ts': ['jobs.subjects.*'],
  'packages/contract/src/billing/processor.schemas.ts': ['disputes.processors.*'],
  'packages/contract/src/events/account.events.ts': ['events.*'],
  'packages/contract/src/events/organization.events.ts': ['events.*'],
  'packages/server/src/foundation/jobs.ts': ['jobs.kinds.*'],
  [`${mails}/templates.ts`]: ['jobs.mails.*'],
}

/** Texts that code finds by a computed key. */
export const computedKeys: readonly ComputedKeys[] = [
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
    'verifyEmail.*Text',
    'emailChange.*Title',
    'emailChange.*Text',
    'emailChange.*TextNoAddress',
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
  ...['*.preview', '*.heading'].map((keys) => ({
    folder: `${mails}/locales`,
    keys,
    named: [`${mails}/templates.ts`],
    why: 'mail-html.ts draws both of every mail',
  })),
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
    keys: 'refusals.*',
    named: ['admin', 'organization'].map((area) => `packages/react/src/i18n/${area}-error-text.ts`).concat(errorTable),
    why: 'the code of a refusal is its key',
  },
  ...Object.entries(ofAdministration).flatMap(([file, rows]) =>
    rows.map((keys) => ({
      folder: administration,
      keys,
      named: [file],
      why: 'a part reads the whole group, or a name of the server is the key',
    })),
  ),
]

/** English texts that are right in other languages too, which share the word. */
export const sameAsInEnglish: Readonly<Record<string, readonly string[]>> = {
  Administration: ['de', 'fr'],
  Administrator: ['de', 'pl'],
  'Code: {code}': ['de'],
  'Code {code}': ['de'],
  Date: ['fr'],
  Description: ['fr'],
  Domain: ['de'],
  Domains: ['de'],
  Error: ['es'],
  Filter: ['de'],
  Invitations: ['fr'],
  Logo: ['de', 'fr', 'pl', 'tr'],
  Mail: ['de'],
  Name: ['de'],
  Optional: ['de'],
  Pages: ['fr'],
  Person: ['de'],
  Status: ['de'],
  // A name.
  Stripe: ['de'],
  Subtotal: ['es'],
  Team: ['de'],
  Teams: ['de'],
  'Teams: {teams}': ['de'],
  Text: ['de'],
  Total: ['es', 'fr'],
  // The Polish tax authority uses the English abbreviation.
  VAT: ['pl'],
  Webhooks: ['de', 'es', 'fr'],
  // The page of a failed redirect shows this word in place of a code.
  Unknown: ['de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'],
  // Left to right: the direction of a mail's language is no text.
  ltr: ['de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk'],
}

/** Folders that some languages do not have yet, with those that they have. */
export const startedFolders: Readonly<Record<string, readonly string[]>> = {
  [dashboard]: ['en', 'de'],
  [administration]: ['en', 'de'],
}
