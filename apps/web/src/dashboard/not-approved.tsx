import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSeller } from './context.ts'
import { ButtonLink } from './parts/button-link.tsx'
import { Copyable } from './parts/copy.tsx'
import { PageHead } from './parts/page-head.tsx'
import { Panel } from './parts/panel.tsx'
import { itemQuery } from './queries/billing.ts'
import { texts } from './texts.ts'

const words = texts.shell.notApproved

/** What is missing until an organization may sell, who decides it, and what its members can do until then. */
export function NotApproved() {
  const { billing, organization, administers, may, props } = useSeller()
  const { id, name, slug } = organization
  const { data } = useQuery(itemQuery(['merchant', id], (options) => billing.getMerchant({ id }, options)))
  const isDescribed = Boolean(data?.detailsSubmittedAt)
  const mayDescribe = may('organization', 'update')
  const { describe, approve, invite } = words
  return (
    <>
      <PageHead title={words.title(name)} text={words.text(props.appName)} />
      <div className="overview">
        <Panel title={words.missing}>
          <ol className="rows">
            <Step isDone={isDescribed} title={describe.title} text={mayDescribe ? describe.text : describe.ask}>
              {mayDescribe ? (
                <ButtonLink
                  to="/dashboard/$slug/settings"
                  params={{ slug }}
                  variant={isDescribed ? 'default' : 'filled'}
                  size="compact-md"
                >
                  {isDescribed ? describe.again : describe.action}
                </ButtonLink>
              ) : null}
            </Step>
            <Step
              isDone={false}
              title={approve.title(props.appName)}
              text={administers ? approve.own : approve.text}
              more={
                administers ? null : (
                  <>
                    {' '}
                    <Copyable text={slug} what={approve.name} />
                  </>
                )
              }
            >
              {administers ? (
                <Button component="a" href={`/admin/organizations/${id}`} variant="default" size="compact-md">
                  {approve.action}
                </Button>
              ) : (
                <Button variant="default" size="compact-md" onClick={() => location.reload()}>
                  {words.again}
                </Button>
              )}
            </Step>
          </ol>
        </Panel>
        <Panel title={words.meanwhile}>
          <ul className="rows">
            <Step title={invite.title} text={invite.text}>
              <Button
                component="a"
                href={`/org/${encodeURIComponent(slug)}/members`}
                variant="default"
                size="compact-md"
              >
                {invite.action}
              </Button>
            </Step>
          </ul>
        </Panel>
      </div>
    </>
  )
}

type StepProps = { isDone?: boolean; title: string; text: string; more?: ReactNode; children: ReactNode }

function Step({ isDone, title, text, more, children }: StepProps) {
  const Icon = isDone ? IconCircleCheckFilled : IconCircle
  return (
    <li>
      {isDone === undefined ? null : (
        <Icon size={20} stroke={1.6} color={isDone ? 'var(--tg-ok)' : undefined} aria-hidden />
      )}
      <span className="grow">
        <strong className="block">{title}</strong>
        <span className="quiet">{text}</span>
        {more}
        {isDone ? <span className="visually-hidden">. {words.done}</span> : null}
      </span>
      {children}
    </li>
  )
}
