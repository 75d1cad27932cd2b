import type { AuditRow } from './row.ts'

/** What happens to accounts, sessions and the server itself: each row is one type of event. */
export const accountEvents = {
  'user.created': {
    object: 'user',
    docs: 'An account is created.',
    chat: ({ Person }) => `${Person} signed up`,
  },
  'user.updated': {
    object: 'user',
    docs: 'A user changes their profile.',
    chat: ({ person }) => `The profile of ${person} has changed`,
  },
  'user.deleted': {
    object: 'user',
    docs: 'An account is deleted.',
    lineTone: 'danger',
    logTone: 'danger',
    chat: ({ person }) => `The account of ${person} was deleted`,
  },
  'user.email_verified': {
    object: 'user',
    docs: 'An email address is verified.',
    chat: ({ Person }) => `${Person} verified their email address`,
  },
  'user.email_changed': {
    object: 'user',
    docs: 'The email address of an account changes.',
    chat: ({ person }) => `The email address of ${person} changed`,
  },
  'user.password_changed': {
    object: 'user',
    docs: 'A user changes their password.',
    chat: ({ Person }) => `${Person} changed their password`,
  },
  'user.password_reset': {
    object: 'user',
    docs: 'A user resets their password by mail.',
    chat: ({ Person }) => `${Person} reset their password`,
  },
  'user.password_set': {
    object: 'user',
    docs: 'An administrator sets the password of an account.',
    logTone: 'warn',
    chat: ({ person }) => `An administrator set a password for ${person}`,
  },
  'user.role_changed': {
    object: 'user',
    docs: 'The role of an account in the installation changes.',
    logTone: 'warn',
    chat: ({ person }) => `The role of ${person} in this installation changed`,
  },
  'user.banned': {
    object: 'user',
    docs: 'An account is banned.',
    lineTone: 'danger',
    logTone: 'danger',
    chat: ({ Person }) => `${Person} was banned`,
  },
  'user.unbanned': {
    object: 'user',
    docs: 'A ban ends.',
    chat: ({ Person }) => `${Person} is no longer banned`,
  },
  'session.created': {
    object: 'session',
    docs: 'A user signs in.',
    chat: ({ Person }) => `${Person} signed in`,
  },
  'session.revoked': {
    object: 'session',
    docs: 'A session is revoked.',
    chat: ({ person }) => `A session of ${person} was revoked`,
  },
  'sign_in.failed': {
    object: 'sign_in',
    notSent: 'the sender of the requests decides how often it happens',
    lineTone: 'warn',
    logTone: 'warn',
  },
  'account.linked': {
    object: 'account',
    docs: 'A provider account is linked.',
    chat: ({ Person }) => `${Person} linked a way to sign in`,
  },
  'account.unlinked': {
    object: 'account',
    docs: 'A provider account is unlinked.',
    chat: ({ Person }) => `${Person} unlinked a way to sign in`,
  },
  'impersonation.started': {
    object: 'impersonation',
    docs: 'An administrator starts to impersonate a user.',
    logTone: 'warn',
    chat: ({ person }) => `An administrator started to impersonate ${person}`,
  },
  'impersonation.stopped': {
    object: 'impersonation',
    docs: 'An administrator stops impersonating a user.',
    logTone: 'warn',
    chat: ({ person }) => `An administrator stopped impersonating ${person}`,
  },
  'brand.updated': {
    object: 'brand',
    notSent: 'no account changes',
  },
  'attention.resolved': {
    object: 'attention',
    notSent: 'for administrators only',
  },
  'job.retried': {
    object: 'job',
    notSent: 'an internal job',
  },
  'job.removed': {
    object: 'job',
    notSent: 'an internal job',
  },
} as const satisfies Readonly<Record<string, AuditRow>>
