import { filled, language, translated } from '../language.ts'
import english from './locales/en.json' with { type: 'json' }

/** What the pages of administrators say, by page. A function stands for each text with placeholders. */
const words = translated?.administration ?? english

export const { timeline, events, details, brand } = words

const { attention: needs, figures } = words.home

export const home = {
  ...words.home,
  attention: {
    ...needs,
    disputes: (count: number) => filled(needs.disputes, { count }),
    moneyToCheck: (count: number) => filled(needs.moneyToCheck, { count }),
    deadJobs: (count: number) => filled(needs.deadJobs, { count }),
    failingJobs: (count: number) => filled(needs.failingJobs, { count }),
    lockedAccounts: (count: number) => filled(needs.lockedAccounts, { count }),
  },
  figures: {
    ...figures,
    signUpsBefore: (count: number) => filled(figures.signUpsBefore, { count }),
    organizationsHint: (count: number) => filled(figures.organizationsHint, { count }),
  },
}

export const audit = {
  ...words.audit,
  shown: (page: number, count: number) => filled(words.audit.shown, { page, count }),
}

export const disputes = {
  ...words.disputes,
  order: (invoiceNumber: string) => filled(words.disputes.order, { invoiceNumber }),
  processors: byName(words.disputes.processors),
  shown: (page: number, count: number) => filled(words.disputes.shown, { page, count }),
}

const { resolve } = words.attention

export const attention = {
  ...words.attention,
  openCount: (count: number) => filled(words.attention.openCount, { count }),
  expected: (amount: string) => filled(words.attention.expected, { amount }),
  shown: (page: number, count: number) => filled(words.attention.shown, { page, count }),
  resolve: {
    ...resolve,
    named: (reference: string) => filled(resolve.named, { reference }),
    title: (amount: string) => filled(resolve.title, { amount }),
  },
}

export const jobs = {
  ...words.jobs,
  /** The number of jobs of a kind. */
  option: (kind: string, count: number) => filled(words.jobs.option, { kind, count }),
  kinds: byName(words.jobs.kinds),
  /** The kind of a job's object, before its id or name. */
  subjects: {
    ...words.jobs.subjects,
    mail: (recipient: string) => filled(words.jobs.subjects.mail, { recipient }),
  },
  /** The mail, by its template; an unknown template shows its name. */
  mails: byName(words.jobs.mails),
  attempts: (count: number) => filled(words.jobs.attempts, { count }),
  shown: (page: number, count: number) => filled(words.jobs.shown, { page, count }),
  retryNamed: (kind: string) => filled(words.jobs.retryNamed, { kind }),
  retryAll: (kind: string) => filled(words.jobs.retryAll, { kind }),
  retriedAll: (count: number) => filled(words.jobs.retriedAll, { count }),
  remove: {
    ...words.jobs.remove,
    named: (kind: string) => filled(words.jobs.remove.named, { kind }),
    title: (kind: string) => filled(words.jobs.remove.title, { kind }),
  },
}

export const { organizations } = words

const { invitations, domains, selling, removal } = words.organization

export const organization = {
  ...words.organization,
  invitations: { ...invitations, until: (when: string) => filled(invitations.until, { when }) },
  domains: {
    ...domains,
    verifyNamed: (domain: string) => filled(domains.verifyNamed, { domain }),
    verifyTitle: (domain: string) => filled(domains.verifyTitle, { domain }),
    done: (domain: string) => filled(domains.done, { domain }),
  },
  selling: {
    ...selling,
    allowTitle: (name: string) => filled(selling.allowTitle, { name }),
    stopTitle: (name: string) => filled(selling.stopTitle, { name }),
    allowed: (name: string) => filled(selling.allowed, { name }),
    stopped: (name: string) => filled(selling.stopped, { name }),
  },
  removal: {
    ...removal,
    title: (name: string) => filled(removal.title, { name }),
    text: (count: number) => filled(removal.text, { count }),
    confirm: (slug: string) => filled(removal.confirm, { slug }),
    done: (name: string) => filled(removal.done, { name }),
  },
}

export const { users } = words

const { endingPurchases: ends } = words

export const endingPurchases = {
  subscriptions: (count: number, names: readonly string[]) =>
    filled(ends.subscriptions, { count, names: list.format(names) }),
  named: (product: string, seller: string) => filled(ends.named, { product, seller }),
  further: (count: number) => filled(ends.further, { count }),
  voided: (amounts: readonly string[]) => filled(ends.voided, { amounts: list.format(amounts) }),
  due: (amounts: readonly string[]) => filled(ends.due, { amounts: list.format(amounts) }),
  cards: (count: number) => filled(ends.cards, { count }),
}

export const createUser = {
  ...words.createUser,
  done: (email: string) => filled(words.createUser.done, { email }),
  mailed: (email: string) => filled(words.createUser.mailed, { email }),
}

const { banned, accounts, sessions, organizations: memberships } = words.user

export const user = {
  ...words.user,
  unbanned: (name: string) => filled(words.user.unbanned, { name }),
  banned: {
    ...banned,
    until: (when: string) => filled(banned.until, { when }),
    reason: (reason: string) => filled(banned.reason, { reason }),
  },
  accounts: { ...accounts, resetSent: (email: string) => filled(accounts.resetSent, { email }) },
  sessions: {
    ...sessions,
    device: (browser: string, system: string) => filled(sessions.device, { browser, system }),
    endNamed: (device: string) => filled(sessions.endNamed, { device }),
    endAllText: (name: string) => filled(sessions.endAllText, { name }),
  },
  organizations: { ...memberships, members: (count: number) => filled(memberships.members, { count }) },
}

const dialogs = words.userDialogs
const list = new Intl.ListFormat(language)

export const userDialogs = {
  ...dialogs,
  role: { ...dialogs.role, done: (name: string, role: string) => filled(dialogs.role.done, { name, role }) },
  ban: {
    ...dialogs.ban,
    title: (name: string) => filled(dialogs.ban.title, { name }),
    done: (name: string) => filled(dialogs.ban.done, { name }),
  },
  impersonation: {
    ...dialogs.impersonation,
    title: (name: string) => filled(dialogs.impersonation.title, { name }),
  },
  removal: {
    ...dialogs.removal,
    title: (name: string) => filled(dialogs.removal.title, { name }),
    confirm: (email: string) => filled(dialogs.removal.confirm, { email }),
    done: (name: string) => filled(dialogs.removal.done, { name }),
    along: (names: readonly string[]) => filled(dialogs.removal.along, { organizations: list.format(names) }),
    blocked: {
      ...dialogs.removal.blocked,
      title: (name: string) => filled(dialogs.removal.blocked.title, { name }),
      others: (count: number) => filled(dialogs.removal.blocked.others, { count }),
    },
  },
}

/** Texts that pages look up by names of the server, which may be newer than the page. */
function byName(names: Readonly<Record<string, string>>) {
  return names
}
