import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useDashboard } from '../context.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { Panel } from '../parts/panel.tsx'
import { Dot } from '../parts/status.tsx'
import { Day } from '../parts/time.tsx'
import { answerOf } from '../queries/answer.ts'
import type { OrganizationDetails } from '../queries/organizations.ts'
import { texts } from '../texts.ts'

const words = texts.organization.domains

type Domain = OrganizationDetails['domains'][number]

/** The domains that an organization claims; one that has no public DNS can be vouched for here. */
export function DomainsPanel({ domains }: { domains: readonly Domain[] }) {
  const [vouched, vouch] = useState<Domain>()
  const [isAsking, setAsking] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const open = domains.filter(({ verifiedAt }) => verifiedAt === null).length
  useFocusAfterRemoval(panel, open)
  return (
    <div ref={panel}>
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
    </div>
  )
}

/** A button that goes away with what it was for hands the focus on: to the next one of its kind, else to the heading. */
function useFocusAfterRemoval(panel: { readonly current: HTMLElement | null }, count: number) {
  const before = useRef(count)
  useEffect(() => {
    const isFewer = count < before.current
    before.current = count
    if (!isFewer || document.activeElement !== document.body) return
    const next = panel.current?.querySelector<HTMLElement>('button') ?? document.querySelector<HTMLElement>('h1')
    next?.focus()
  }, [panel, count])
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
