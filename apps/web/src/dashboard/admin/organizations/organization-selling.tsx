import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDashboard } from '../../context.ts'
import { language } from '../../language.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Dot } from '../../parts/status.tsx'
import { Day } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import type { OrganizationDetails } from '../../queries/organizations.ts'
import { organization as organizationWords } from '../texts.ts'

const words = organizationWords.selling

type Props = Pick<OrganizationDetails, 'organization'>

/** Whether an organization may sell; an administrator decides it here. */
export function SellingPanel({ organization }: Props) {
  const { maySell } = organization
  const [isAsking, setAsking] = useState(false)
  return (
    <Panel title={words.title}>
      <div className="panel-line">
        <p className="quiet">
          {maySell ? <Dot tone="ok">{words.may}</Dot> : <Dot tone="warn">{words.mayNot}</Dot>}
          <span className="block">{maySell ? words.mayText : words.mayNotText}</span>
          {maySell ? <DashboardLink organization={organization} /> : null}
        </p>
        <Button
          variant={maySell ? 'outline' : 'filled'}
          {...(maySell && { color: 'red' })}
          onClick={() => setAsking(true)}
        >
          {maySell ? words.stop : words.allow}
        </Button>
      </div>
      <BusinessDetails organization={organization} />
      <SellingDialog organization={organization} opened={isAsking} onClose={() => setAsking(false)} />
    </Panel>
  )
}

/** For administrators who are members; for others the dashboard is 404. */
function DashboardLink({ organization: { id, slug } }: Props) {
  const { client } = useDashboard()
  const own = useQuery({
    queryKey: ['own-organizations'],
    queryFn: ({ signal }) => answerOf(client.listOrganizations({}, { signal })),
  })
  if (!own.data?.some((organization) => organization.id === id)) return null
  return (
    <a href={`/dashboard/${encodeURIComponent(slug)}`} className="link">
      {words.toDashboard}
    </a>
  )
}

/** The organization's answers about its business, for the administrator who decides. */
function BusinessDetails({ organization: { details, detailsSubmittedAt } }: Props) {
  if (!details || !detailsSubmittedAt) return <p className="quiet panel-text">{words.notTold}</p>
  const { switching, switchingFrom, previousAnnualRevenue } = details
  return (
    <>
      <p className="quiet panel-text">
        {words.told} <Day at={detailsSubmittedAt} />
      </p>
      <Facts>
        <Fact label={words.about}>{details.about}</Fact>
        <Fact label={words.productDescription}>{details.productDescription}</Fact>
        <Fact label={words.intendedUse}>{details.intendedUse}</Fact>
        <Fact label={words.acquisition}>{details.customerAcquisition.join(', ')}</Fact>
        <Fact label={words.revenue}>{dollars.format(details.futureAnnualRevenue)}</Fact>
        {switching ? <Fact label={words.switching}>{switchingFrom ?? words.yes}</Fact> : null}
        {switching ? <Fact label={words.previousRevenue}>{dollars.format(previousAnnualRevenue)}</Fact> : null}
      </Facts>
    </>
  )
}

/** The form asks for whole dollars. */
const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

function SellingDialog({
  organization: { id, name, maySell },
  ...frame
}: Props & { opened: boolean; onClose: () => void }) {
  const { client } = useDashboard()
  return (
    <ActionDialog
      {...frame}
      title={maySell ? words.stopTitle(name) : words.allowTitle(name)}
      text={maySell ? words.stopText : words.allowText}
      submit={maySell ? words.stop : words.allow}
      danger={maySell}
      run={async () => {
        await answerOf(client.adminSetSelling({ organizationId: id, maySell: !maySell }))
        return maySell ? words.stopped(name) : words.allowed(name)
      }}
    />
  )
}
