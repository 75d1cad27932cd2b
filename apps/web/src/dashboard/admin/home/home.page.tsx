import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import type { ReactNode } from 'react'
import { useAdministration, useDashboard } from '../../context.ts'
import styles from '../../overview/figures.module.css'
import { Sparkline } from '../../overview/sparkline.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { installationQuery } from '../../queries/installation.ts'
import { organizationsQuery } from '../../queries/organizations.ts'
import { usersQuery } from '../../queries/users.ts'
import { number } from '../../texts.ts'
import { home as words } from '../texts.ts'
import own from './home.module.css'

type Installation = Answer<'adminGetOverview'>

/** Where administrators begin: what needs them, and how the installation grows. */
export function HomePage() {
  const { client } = useDashboard()
  const { data, error, refetch } = useQuery(installationQuery(client))
  return (
    <>
      <PageHead title={words.title} text={words.text} />
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={6} tall /> : null}
      {data ? (
        <div className="overview">
          <Attention {...data.attention} />
          <Figures {...data} />
          <Newest hasOrganizations={data.organizations !== null} />
        </div>
      ) : null}
    </>
  )
}

/** What needs an administrator, the most pressing first; each leads to where it is settled. */
function Attention({
  disputesToAnswer,
  moneyToCheck,
  sendsMail,
  deadJobs,
  failingJobs,
  lockedAccounts,
}: Installation['attention']) {
  const { attention } = words
  const items: readonly (readonly [isOpen: boolean, text: string, link: ReactNode])[] = [
    [
      (disputesToAnswer ?? 0) > 0,
      attention.disputes(disputesToAnswer ?? 0),
      <Link key="disputes" to="/admin/disputes" className="link">
        {attention.showDisputes}
      </Link>,
    ],
    [
      (moneyToCheck ?? 0) > 0,
      attention.moneyToCheck(moneyToCheck ?? 0),
      <Link key="money" to="/admin/attention" className="link">
        {attention.showMoneyToCheck}
      </Link>,
    ],
    [!sendsMail, attention.mail, <code key="mail">SMTP_URL</code>],
    [
      deadJobs > 0,
      attention.deadJobs(deadJobs),
      <Link key="dead" to="/admin/jobs" className="link">
        {attention.showJobs}
      </Link>,
    ],
    [
      failingJobs > 0,
      attention.failingJobs(failingJobs),
      <Link key="failing" to="/admin/jobs" className="link">
        {attention.showJobs}
      </Link>,
    ],
    [
      lockedAccounts > 0,
      attention.lockedAccounts(lockedAccounts),
      <Link key="locked" to="/admin/audit" search={{ type: 'sign_in.failed' }} className="link">
        {attention.showLocked}
      </Link>,
    ],
  ]
  const open = items.filter(([isOpen]) => isOpen)
  return (
    <Panel title={attention.title}>
      {open.length === 0 ? (
        <p className="quiet panel-text with-icon">
          <IconCircleCheck size={18} stroke={1.6} aria-hidden /> {attention.none}
        </p>
      ) : (
        <ul className="rows">
          {open.map(([, text, link]) => (
            <li key={text}>
              <IconAlertTriangle size={18} stroke={1.6} className={own.warning} aria-hidden />
              <span className="grow">{text}</span>
              {link}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Figures({ users, signUps, activeUsers, organizations }: Installation) {
  const { features } = useAdministration()
  const { figures } = words
  return (
    <section aria-label={words.numbers} className={styles.figures}>
      <Figure label={figures.signUps} hint={figures.signUpsBefore(signUps.before)} course={signUps.byDay}>
        <Link to="/admin/users">{number.format(signUps.count)}</Link>
      </Figure>
      <Figure label={figures.users} hint={figures.usersHint}>
        <Link to="/admin/users">{number.format(users)}</Link>
      </Figure>
      <Figure label={figures.active} hint={figures.activeHint}>
        {number.format(activeUsers)}
      </Figure>
      {organizations && features.organizations ? (
        <Figure label={figures.organizations} hint={figures.organizationsHint(organizations.created)}>
          <Link to="/admin/organizations">{number.format(organizations.total)}</Link>
        </Figure>
      ) : null}
    </section>
  )
}

type FigureProps = { label: string; hint: string; children: ReactNode; course?: readonly number[] }

const Figure = ({ label, hint, children, course }: FigureProps) => (
  <div className={`panel ${styles.figure}`}>
    <p className={styles.label}>{label}</p>
    <p className={styles.number}>{children}</p>
    <p className={`quiet ${styles.hint}`}>{hint}</p>
    {course ? <Sparkline values={course} /> : null}
  </div>
)

const newest = { sortBy: 'createdAt', sortDirection: 'desc', limit: 5 } as const

/** The newest users and organizations. */
function Newest({ hasOrganizations }: { hasOrganizations: boolean }) {
  const { client } = useDashboard()
  const { features } = useAdministration()
  const users = useQuery(usersQuery(client, newest))
  return (
    <div className={own.newest}>
      <Rows
        words={words.newest.users}
        all={
          <Link to="/admin/users" className="link">
            {words.newest.users.all}
          </Link>
        }
        list={users}
        row={({ id, name, email, createdAt }) => (
          <li key={id}>
            <span className="grow">
              <Link to="/admin/users/$userId" params={{ userId: id }} className="link block">
                {name || email}
              </Link>
              <span className="quiet">{email}</span>
            </span>
            <span className="quiet">
              <Ago at={createdAt} />
            </span>
          </li>
        )}
      />
      {hasOrganizations && features.organizations ? <NewestOrganizations /> : null}
    </div>
  )
}

function NewestOrganizations() {
  const { client } = useDashboard()
  const organizations = useQuery(organizationsQuery(client, newest))
  return (
    <Rows
      words={words.newest.organizations}
      all={
        <Link to="/admin/organizations" className="link">
          {words.newest.organizations.all}
        </Link>
      }
      list={organizations}
      row={({ id, name, slug, createdAt }) => (
        <li key={id}>
          <span className="grow">
            <Link to="/admin/organizations/$organizationId" params={{ organizationId: id }} className="link block">
              {name}
            </Link>
            <span className="quiet">{slug}</span>
          </span>
          <span className="quiet">
            <Ago at={createdAt} />
          </span>
        </li>
      )}
    />
  )
}

type RowsProps<Row> = {
  words: { title: string; none: string; loading: string }
  all: ReactNode
  list: Pick<UseQueryResult<{ items: readonly Row[] }>, 'data' | 'error' | 'refetch'>
  row: (row: Row) => ReactNode
}

function Rows<Row>({ words: { title, none, loading }, all, list: { data, error, refetch }, row }: RowsProps<Row>) {
  return (
    <Panel title={title} actions={all}>
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={loading} rows={newest.limit} /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{none}</p> : null}
      <ul className="rows">{data?.items.map(row)}</ul>
    </Panel>
  )
}
