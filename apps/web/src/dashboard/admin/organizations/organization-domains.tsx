import { Button } from '@mantine/core'
import { useState } from 'react'
import { useDashboard } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Dot } from '../../parts/status.tsx'
import { Day } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import type { OrganizationDetails } from '../../queries/organizations.ts'
import { organization as organizationWords } from '../texts.ts'

const words = organizationWords.domains

type Domain = OrganizationDetails['domains'][number]

/** An organization's domains; an administrator can verify one without public DNS here. */
export function DomainsPanel({ domains }: { domains: readonly Domain[] }) {
  const [vouched, vouch] = useState<Domain>()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Panel title={words.title} count={domains.length}>
        {domains.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
        <ul className="rows">
          {domains.map((domain) => (
            <li key={domain.id}>
              <span className="grow">
                <strong className="wrap">{domain.domain}</strong>
                <span className="quiet block">{words.joinModes[domain.joinMode]}</span>
              </span>
              {domain.verifiedAt === null ? (
                <>
                  <Dot tone="warn">{words.unverified}</Dot>
                  <span data-row-actions="">
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={words.verifyNamed(domain.domain)}
                      onClick={() => {
                        vouch(domain)
                        setAsking(true)
                      }}
                    >
                      {words.verify}
                    </Button>
                  </span>
                </>
              ) : (
                <span className="quiet">
                  <Dot tone="ok">{words.verified}</Dot> <Day at={domain.verifiedAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      {vouched ? <VerifyDialog domain={vouched} opened={isAsking} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function VerifyDialog({ domain, ...frame }: { domain: Domain; opened: boolean; onClose: () => void }) {
  const { client } = useDashboard()
  return (
    <ActionDialog
      {...frame}
      title={words.verifyTitle(domain.domain)}
      text={words.verifyText}
      submit={words.verify}
      run={async () => {
        await answerOf(client.adminVerifyDomain({ domainId: domain.id }))
        return words.done(domain.domain)
      }}
    />
  )
}
