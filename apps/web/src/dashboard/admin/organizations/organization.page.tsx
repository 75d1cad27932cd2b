import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useDashboard } from '../../context.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Initials } from '../../parts/initials.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Day, Moment, momentText } from '../../parts/time.tsx'
import { timelineQuery } from '../../queries/events.ts'
import { type OrganizationDetails, organizationMembersQuery, organizationQuery } from '../../queries/organizations.ts'
import { TimelinePanel } from '../audit/timeline.tsx'
import { organization as words } from '../texts.ts'
import { DeleteOrganizationDialog } from './organization-deletion.dialog.tsx'
import { DomainsPanel } from './organization-domains.tsx'
import { MembersPanel } from './organization-members.tsx'
import { SellingPanel } from './organization-selling.tsx'
import { organizations } from './organizations.resource.ts'

const route = getRouteApi('/admin/organizations/$organizationId')

/** One organization with all administrator actions. */
export function OrganizationPage() {
  const { client } = useDashboard()
  const { organizationId } = route.useParams()
  const back = (
    <BackLink to="/admin/organizations" {...useWayBack(organizations.searchIn)}>
      {words.back}
    </BackLink>
  )

  const parts = [
    useQuery(organizationMembersQuery(client, organizationId, route.useSearch())),
    useInfiniteQuery(timelineQuery(client, { organizationId })),
  ]
  return (
    <Detail query={organizationQuery(client, organizationId)} back={back} words={words} parts={parts}>
      {(details) => <OrganizationView key={organizationId} details={details} back={back} />}
    </Detail>
  )
}

function OrganizationView({ details, back }: { details: OrganizationDetails; back: ReactNode }) {
  const { organization, teams, invitations, domains } = details
  const { name, id } = organization
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <PageHead
        title={name}
        above={back}
        heading={
          <span className="who">
            <Initials name={name} large />
            <span>{name}</span>
          </span>
        }
      />
      <div className="columns">
        <div className="column">
          <FactsPanel organization={organization} />
          <MembersPanel organizationId={id} />
          {organization.sellingIsDecided ? <SellingPanel organization={organization} /> : null}
          <Panel title={words.danger.title}>
            <div className="panel-line">
              <p className="quiet">{words.danger.text}</p>
              <Button variant="outline" color="red" onClick={() => setDeleting(true)}>
                {words.danger.button}
              </Button>
            </div>
          </Panel>
        </div>
        <div className="column">
          <TeamsPanel teams={teams} />
          <InvitationsPanel invitations={invitations} />
          <DomainsPanel domains={domains} />
          <TimelinePanel of={{ organizationId: id }} />
        </div>
      </div>
      <DeleteOrganizationDialog organization={organization} opened={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}

function FactsPanel({ organization }: Pick<OrganizationDetails, 'organization'>) {
  const { facts } = words
  const { id, slug, logo, metadata, requireVerifiedEmail, createdAt } = organization
  return (
    <Panel title={facts.title}>
      <dl className="facts">
        <dt>{facts.slug}</dt>
        <dd>{slug}</dd>
        <dt>{facts.id}</dt>
        <dd>
          <Copyable text={id} what={facts.id} />
        </dd>
        {logo ? (
          <>
            <dt>{facts.logo}</dt>
            <dd className="mono">{logo}</dd>
          </>
        ) : null}
        <dt>{facts.access}</dt>
        <dd>{requireVerifiedEmail ? facts.verifiedOnly : facts.everyMember}</dd>
        {metadata ? (
          <>
            <dt>{facts.metadata}</dt>
            <dd className="mono">{JSON.stringify(metadata)}</dd>
          </>
        ) : null}
        <dt>{facts.created}</dt>
        <dd>
          <Moment at={createdAt} />
        </dd>
      </dl>
    </Panel>
  )
}

function TeamsPanel({ teams }: Pick<OrganizationDetails, 'teams'>) {
  return (
    <Panel title={words.teams.title} count={teams.length}>
      {teams.length === 0 ? <p className="quiet panel-text">{words.teams.none}</p> : null}
      <ul className="rows">
        {teams.map(({ id, name, createdAt }) => (
          <li key={id}>
            <strong className="grow">{name}</strong>
            <span className="quiet">
              <Day at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function InvitationsPanel({ invitations }: Pick<OrganizationDetails, 'invitations'>) {
  return (
    <Panel title={words.invitations.title} count={invitations.length}>
      {invitations.length === 0 ? <p className="quiet panel-text">{words.invitations.none}</p> : null}
      <ul className="rows">
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li key={id}>
            <span className="grow">
              <strong className="wrap">{email}</strong>
              <span className="quiet block">{words.invitations.until(momentText(expiresAt))}</span>
            </span>
            <span className="quiet">{role}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
