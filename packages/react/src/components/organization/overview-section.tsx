import { Avatar } from '../../elements/avatar.tsx'
import { ButtonLink } from '../../elements/button.tsx'
import { Alert } from '../../elements/small.tsx'
import { Badge } from '../../elements/status.tsx'
import type { FormState } from '../../form-state.ts'
import { useMessages, useText } from '../../provider.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { Panel, SectionFrame } from '../section-frame.tsx'
import { DateTime, RelativeTime } from '../time.tsx'
import { EventRow } from './audit-section.tsx'
import { may, type SectionData, sees } from './data.ts'
import { Person, usePageOf, useRefusalText } from './parts.tsx'

type Props = { data: SectionData<'overview'>; state: FormState | undefined }

/** The next step of a new organization, its profile, new members and recent activity. */
export function OverviewSection({ data, state }: Props) {
  const texts = useMessages('organizationOverview')
  const refusalText = useRefusalText()
  const t = useText()
  const pageOf = usePageOf(data)
  const { organization, counts } = data
  const { members, membershipLimit: limit } = counts
  return (
    <SectionFrame title={organization.name} alert={state?.code ? refusalText(state.code, state) : undefined}>
      <NextStep data={data} isNew={state?.done === 'organization-created'} />
      <div data-tg="panel">
        <div data-tg="person">
          <Avatar name={organization.name} image={organization.logo} large />
          <span>
            <strong>
              <a href={pageOf('members')}>
                {Number.isFinite(limit)
                  ? t(texts.seats, { count: members, limit })
                  : t(texts.members, { count: members })}
              </a>
            </strong>
            <span>{t.rich(texts.since, { date: <DateTime at={organization.createdAt} /> })}</span>
          </span>
        </div>
        {counts.invitations > 0 || counts.requests > 0 ? (
          <p data-tg="row">
            {counts.invitations > 0 ? <Badge>{t(texts.openInvitations, { count: counts.invitations })}</Badge> : null}
            {counts.requests > 0 ? (
              <Badge tone="warn">{t(texts.openRequests, { count: counts.requests })}</Badge>
            ) : null}
          </p>
        ) : null}
        {organization.requireVerifiedEmail ? <Alert>{texts.verifiedOnly}</Alert> : null}
        <QuickActions data={data} />
      </div>

      <Newest data={data} />
      {data.events ? (
        <Panel title={texts.recent}>
          {data.events.length === 0 ? <p data-tg="hint">{texts.nothingYet}</p> : null}
          <ul data-tg="rows">
            {data.events.map((event) => (
              <EventRow key={event.id} event={event} now={data.now} />
            ))}
          </ul>
          <a href={pageOf('audit')}>{texts.allEvents}</a>
        </Panel>
      ) : null}
    </SectionFrame>
  )
}

/** One next step: the first product of an organization that has just been created, or people for its only member. */
function NextStep({ data, isNew }: { data: SectionData<'overview'>; isNew: boolean }) {
  const texts = useMessages('organizationOverview')
  const pageOf = usePageOf(data)
  const { dashboard, counts } = data
  if (isNew && dashboard) {
    return (
      <Panel title={texts.nextSell}>
        <p data-tg="hint">{texts.nextSellText}</p>
        <ButtonLink href={`${dashboard}/products/new`} look="primary">
          {texts.firstProduct}
        </ButtonLink>
      </Panel>
    )
  }
  if (!isAlone(counts) || !may(data, 'invitation', 'create')) return null
  return (
    <Panel title={texts.nextInvite}>
      <p data-tg="hint">{texts.nextInviteText}</p>
      <ButtonLink href={pageOf('invitations')} look="primary">
        {texts.invite}
      </ButtonLink>
    </Panel>
  )
}

const isAlone = ({ members, invitations, requests }: SectionData<'overview'>['counts']): boolean =>
  members === 1 && invitations === 0 && requests === 0

function QuickActions({ data }: { data: SectionData<'overview'> }) {
  const texts = useMessages('organizationOverview')
  const pageOf = usePageOf(data)
  const actions = [
    // The next step says it already.
    !isAlone(data.counts) && may(data, 'invitation', 'create') && ([pageOf('invitations'), texts.invite] as const),
    data.counts.requests > 0 &&
      may(data, 'member', 'create') &&
      ([pageOf('invitations'), texts.answerRequests] as const),
    data.features.teams && may(data, 'team', 'create') && ([pageOf('teams'), texts.addTeam] as const),
    sees(data, 'settings') && ([pageOf('settings'), texts.changeSettings] as const),
  ].filter((action) => action !== false)
  if (actions.length === 0) return null
  return (
    <nav data-tg="actions" aria-label={texts.actions}>
      {actions.map(([href, label]) => (
        <ButtonLink key={label} href={href}>
          {label}
        </ButtonLink>
      ))}
    </nav>
  )
}

function Newest({ data }: { data: SectionData<'overview'> }) {
  const texts = useMessages('organizationOverview')
  const members = useMessages('organizationMembers')
  const roleText = useRoleText()
  const pageOf = usePageOf(data)
  return (
    <Panel title={texts.newest}>
      <ul data-tg="rows">
        {data.newest.map(({ id, user, role, createdAt }) => (
          <li key={id} data-tg="entry">
            <Person {...user} you={user.id === data.session.user.id}>
              <span>
                {roleText(role)}
                {' · '}
                {members.joined}: <RelativeTime at={createdAt} now={data.now} />
              </span>
            </Person>
          </li>
        ))}
      </ul>
      <a href={pageOf('members')}>{texts.allMembers}</a>
    </Panel>
  )
}
