import { number } from '../texts.ts'

/** The texts of the audit log. */
export const auditWords = {
  title: 'Audit log',
  text: 'What has happened to accounts and in organizations, newest first.',
  what: 'Event',
  every: 'Any event',
  actor: 'Done by',
  user: 'About',
  organization: 'In',
  inOrganization: 'Organization',
  person: 'Email or ID',
  nobody: 'Nobody has this address.',
  anybody: 'Anybody',
  table: 'Events',
  columns: { when: 'When', what: 'What', user: 'About', actor: 'Done by', details: 'Details' },
  loading: 'Loading events',
  server: 'The server',
  gone: 'Deleted user',
  none: { title: 'Nothing has happened yet', text: 'Sign-ups, bans, changes of passwords and the like appear here.' },
  noMatch: { title: 'No events match', text: 'Nothing of this kind has happened.', clear: 'Clear filters' },
  shown: (page: number, count: number) => `Page ${number.format(page)}: ${count === 1 ? '1 event' : `${count} events`}`,
} as const

/** The heading of the latest events of a user or an organization. */
export const timelineWords = {
  title: 'Timeline',
  loading: 'Loading events',
  none: 'Nothing has happened yet.',
  older: 'Show older',
  inAudit: 'Open in audit log',
} as const
