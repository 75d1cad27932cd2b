import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { SessionUser } from '@tollgate/contract/types'
import { type ReactNode, useState } from 'react'
import { useAdministration, useDashboard } from '../../context.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Initials } from '../../parts/initials.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Dot } from '../../parts/status.tsx'
import { Moment, momentText } from '../../parts/time.tsx'
import { userQuery } from '../../queries/users.ts'
import { TimelinePanel } from '../audit/timeline.tsx'
import { user as words } from '../texts.ts'
import { AccountsPanel } from './user-accounts.tsx'
import { type UserAction, UserDialogs, useUnban } from './user-dialogs.tsx'
import { OrganizationsPanel } from './user-organizations.tsx'
import { SessionsPanel } from './user-sessions.tsx'
import { isBanned } from './user-status.tsx'
import { users } from './users.resource.ts'

const route = getRouteApi('/admin/users/$userId')

/** One user with all administrator actions. */
export function UserPage() {
  const { client } = useDashboard()
  const { userId } = route.useParams()
  const back = (
    <BackLink to="/admin/users" {...useWayBack(users.searchIn)}>
      {words.back}
    </BackLink>
  )

  return (
    <Detail query={userQuery(client, userId)} back={back} words={words}>
      {(user) => <UserView key={user.id} user={user} back={back} />}
    </Detail>
  )
}

function UserView({ user, back }: { user: SessionUser; back: ReactNode }) {
  const { props, now } = useDashboard()
  const [action, setAction] = useState<UserAction>()
  const unban = useUnban(user)
  const isSelf = user.id === props.session.user.id
  const banned = isBanned(user, now())
  const name = user.name || user.email
  const button = (label: string, wanted: UserAction) => (
    <Button variant="default" onClick={() => setAction(wanted)}>
      {label}
    </Button>
  )
  return (
    <>
      <PageHead
        title={name}
        above={back}
        heading={
          <span className="who">
            <Initials name={name} large />
            <span>{name}</span>
            {isSelf ? <span className="chip">{words.you}</span> : null}
          </span>
        }
        actions={
          <>
            {button(words.edit, 'edit')}
            {button(words.setRole, 'role')}
            {isSelf ? null : banned ? (
              <Button variant="default" onClick={() => unban.mutate()} aria-disabled={unban.isPending || undefined}>
                {words.unban}
              </Button>
            ) : (
              <>
                {button(words.impersonate, 'impersonate')}
                {button(words.ban, 'ban')}
              </>
            )}
          </>
        }
      />
      {banned ? <BanNotice user={user} /> : null}
      <div className="columns">
        <div className="column">
          <ProfilePanel user={user} />
          <AccountsPanel user={user} onSetPassword={() => setAction('password')} />
          <SessionsPanel user={user} onEndAll={() => setAction('sessions')} />
          <OrganizationsPanel userId={user.id} />
          <Panel title={words.danger.title}>
            <div className="panel-line">
              <p className="quiet">{isSelf ? words.danger.self : words.danger.text}</p>
              {isSelf ? null : (
                <Button variant="outline" color="red" onClick={() => setAction('remove')}>
                  {words.danger.button}
                </Button>
              )}
            </div>
          </Panel>
        </div>
        <div className="column">
          <TimelinePanel of={{ userId: user.id }} />
        </div>
      </div>
      <UserDialogs user={user} action={action} onClose={() => setAction(undefined)} />
    </>
  )
}

function BanNotice({ user: { banReason, banExpires } }: { user: SessionUser }) {
  const { title, until, forEver, reason } = words.banned
  return (
    <div className="notice" data-tone="danger">
      <span>
        <strong>{title}</strong> {banExpires ? until(momentText(banExpires)) : forEver}
        {banReason ? <span className="block">{reason(banReason)}</span> : null}
      </span>
    </div>
  )
}

function ProfilePanel({ user }: { user: SessionUser }) {
  const administration = useAdministration()
  const { profile } = words
  return (
    <Panel title={profile.title}>
      <dl className="facts">
        <dt>{profile.email}</dt>
        <dd>
          <span>{user.email}</span>
          <Dot tone={user.emailVerified ? 'ok' : 'warn'}>
            {user.emailVerified ? profile.verified : profile.unverified}
          </Dot>
        </dd>
        <dt>{profile.name}</dt>
        <dd>{user.name || profile.none}</dd>
        {administration.features.username || user.username ? (
          <>
            <dt>{profile.username}</dt>
            <dd>{user.displayUsername ?? user.username ?? profile.none}</dd>
          </>
        ) : null}
        <dt>{profile.role}</dt>
        <dd>{user.role ?? administration.roles[0]}</dd>
        <dt>{profile.id}</dt>
        <dd>
          <Copyable text={user.id} what={profile.id} />
        </dd>
        {user.image ? (
          <>
            <dt>{profile.image}</dt>
            <dd className="mono">{user.image}</dd>
          </>
        ) : null}
        <dt>{profile.created}</dt>
        <dd>
          <Moment at={user.createdAt} />
        </dd>
        <dt>{profile.updated}</dt>
        <dd>
          <Moment at={user.updatedAt} />
        </dd>
      </dl>
    </Panel>
  )
}
