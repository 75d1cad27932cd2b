import type { DemoOrganization } from '../features/organization/demo.service.ts'

/** Demo users. */
export const demoPeople = [
  { name: 'Ada Lovelace', email: 'ada@example.com', administers: true },
  { name: 'Grace Hopper', email: 'grace@example.com', administers: false },
  { name: 'Alan Turing', email: 'alan@example.com', administers: false },
  { name: 'Katherine Johnson', email: 'katherine@example.com', administers: false },
  { name: 'Edsger Dijkstra', email: 'edsger@example.com', administers: false },
] as const

/** Their organizations. The first has content for each page of an organization. */
export const demoOrganizations: readonly DemoOrganization[] = [
  {
    name: 'Northwind Traders',
    slug: 'northwind',
    owner: 'ada@example.com',
    roles: { auditor: { audit: ['read'], ac: ['read'] } },
    members: [
      { email: 'grace@example.com', role: 'admin' },
      { email: 'alan@example.com', role: 'member,auditor' },
      { email: 'katherine@example.com', role: 'member' },
    ],
    teams: {
      Engineering: ['ada@example.com', 'grace@example.com', 'alan@example.com'],
      'Flight research': ['katherine@example.com', 'alan@example.com'],
    },
    invitations: [
      { email: 'edsger@example.com', role: 'admin' },
      { email: 'hedy@example.com', role: 'member' },
    ],
  },
  {
    name: 'Contoso',
    slug: 'contoso',
    owner: 'grace@example.com',
    roles: {},
    members: [{ email: 'ada@example.com', role: 'member' }],
    teams: { Compilers: ['grace@example.com'] },
    invitations: [{ email: 'alan@example.com', role: 'member' }],
  },
]
