import { Button } from '@mantine/core'
import { useState } from 'react'
import { useDashboard } from '../context.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { Panel } from '../parts/panel.tsx'
import { Dot } from '../parts/status.tsx'
import { answerOf } from '../queries/answer.ts'
import type { OrganizationDetails } from '../queries/organizations.ts'
import { texts } from '../texts.ts'

const words = texts.organization.selling

type Props = Pick<OrganizationDetails, 'organization'>

/** Whether an organization may sell, which an administrator decides here. */
export function SellingPanel({ organization }: Props) {
  const { maySell } = organization
  const [isAsking, setAsking] = useState(false)
  return (
    <Panel title={words.title}>
      <div className="panel-line">
        <p className="quiet">
          {maySell ? <Dot tone="ok">{words.may}</Dot> : <Dot tone="warn">{words.mayNot}</Dot>}{' '}
          {maySell ? words.mayText : words.mayNotText}
        </p>
        <Button
          variant={maySell ? 'outline' : 'filled'}
          {...(maySell && { color: 'red' })}
          onClick={() => setAsking(true)}
        >
          {maySell ? words.stop : words.allow}
        </Button>
      </div>
      <SellingDialog organization={organization} opened={isAsking} onClose={() => setAsking(false)} />
    </Panel>
  )
}

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
