import { after, days } from '../../foundation/clock.ts'
import type { Span } from '../../foundation/db/spans.ts'
import { mailsCanLeave } from '../../foundation/mail/mail.jobs.ts'
import { requireAdmin } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { countOpenAttention } from './attention.repository.ts'
import { countDisputesToAnswer } from './dispute.repository.ts'
import { countDeadJobs, listFailingJobs } from './job.repository.ts'
import { countActiveUsers, countCreated, countLockedAccounts, signUpsIn } from './overview.repository.ts'

/** The last 30 days, as spans of 24 hours that end now. */
const lastMonth = (now: Date): Span[] =>
  Array.from({ length: 30 }, (_, index) => ({
    since: after(now, -days(30 - index)),
    until: after(now, -days(29 - index)),
  }))

/** The figures of the installation, and what needs an administrator. */
export const adminGetOverview: AuthHandler<'adminGetOverview'> = async ({ ctx, session }) => {
  requireAdmin(ctx, session, 'user', 'list', 'ADMIN_LIST_USERS')
  const { db, config, database } = ctx
  const now = ctx.clock.now()
  const [month, monthBefore] = [after(now, -days(30)), after(now, -days(60))]
  const hasOrganizations = config.organization !== false
  const [users, byDay, createdBefore, activeUsers, organizations, created30, dead, failing, toAnswer, toCheck, locked] =
    await Promise.all([
      countCreated(db, 'user'),
      signUpsIn(database, lastMonth(now)),
      countCreated(db, 'user', monthBefore, month),
      countActiveUsers(db, now),
      hasOrganizations ? countCreated(db, 'organization') : 0,
      hasOrganizations ? countCreated(db, 'organization', month) : 0,
      countDeadJobs(db),
      listFailingJobs(db),
      config.billing === false ? null : countDisputesToAnswer(db),
      config.billing === false ? null : countOpenAttention(db),
      countLockedAccounts(db, after(now, -days(1))),
    ])
  return {
    users,
    signUps: { count: byDay.reduce((sum, count) => sum + count, 0), before: createdBefore, byDay },
    activeUsers,
    organizations: hasOrganizations ? { total: organizations, created: created30 } : null,
    attention: {
      deadJobs: dead.reduce((sum, { count }) => sum + count, 0),
      failingJobs: failing.length,
      disputesToAnswer: toAnswer,
      moneyToCheck: toCheck,
      sendsMail: mailsCanLeave(ctx),
      lockedAccounts: locked,
    },
  }
}
