import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Answer } from '@tollgate/contract/types'
import type { ReactNode } from 'react'
import { useAdministration, useDashboard } from '../../context.ts'
import styles from '../../overview/figures.module.css'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { installationQuery } from '../../queries/installation.ts'
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
        </div>
      ) : null}
    </>
  )
}

/** What needs an administrator, the most pressing first; each leads to where it is settled. */
function Attention({ disputesToAnswer, sendsMail, deadJobs, failingJobs, lockedAccounts }: Installation['attention']) {
  const { attention } = words
  const items: readonly (readonly [isOpen: boolean, text: string, link: ReactNode])[] = [
    [
      (disputesToAnswer ?? 0) > 0,
      attention.disputes(disputesToAnswer ?? 0),
      <Link key="disputes" to="/admin/disputes" className="link">
        {attention.showDisputes}
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
      <Figure label={figures.signUps} hint={figures.signUpsBefore(signUps.before)}>
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

const Figure = ({ label, hint, children }: { label: string; hint: string; children: ReactNode }) => (
  <div className={`panel ${styles.figure}`}>
    <p className={styles.label}>{label}</p>
    <p className={styles.number}>{children}</p>
    <p className={`quiet ${styles.hint}`}>{hint}</p>
  </div>
)
