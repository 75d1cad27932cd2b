import type { DemoOrganization } from '../organization/demo.service.ts'

/** People to try things with. */
export const demoPeople = [
  { name: 'Ada Lovelace', email: 'ada@example.com', administers: true },
  { name: 'Grace Hopper', email: 'grace@example.com', administers: false },
  { name: 'Alan Turing', email: 'alan@example.com', administers: false },
  { name: 'Katherine Johnson', email: 'katherine@example.com', administers: false },
  { name: 'Edsger Dijkstra', email: 'edsger@example.com', administers: false },
] as const

/** Organizations of these people: what each page of one has to show is in the first. */
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
