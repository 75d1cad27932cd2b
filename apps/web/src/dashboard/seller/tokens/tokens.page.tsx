import { Button } from '@mantine/core'
import { scopes } from '@tollgate/contract/billing'
import type { AccessToken } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { plus } from '../../parts/button-link.tsx'
import { type Columns, createdColumn, ListPage } from '../../parts/list-page.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { Dot } from '../../parts/status.tsx'
import { Ago, Day } from '../../parts/time.tsx'
import { CreateTokenDialog, DeleteTokenDialog, EditTokenDialog } from './tokens.dialogs.tsx'
import { tokens } from './tokens.resource.ts'
import { tokensWords as words } from './tokens.texts.ts'

type Action = { readonly kind: 'create' } | { readonly kind: 'edit' | 'delete'; readonly token: AccessToken }

/** Access tokens for programs. */
export function TokensPage() {
  const { may, now } = useSeller()
  const [action, setAction] = useState<Action>()
  const mayWrite = may('token', 'write')
  const create = mayWrite ? (
    <Button leftSection={plus} onClick={() => setAction({ kind: 'create' })}>
      {words.create}
    </Button>
  ) : null

  const { columns: labels } = words
  const columns: Columns<typeof tokens> = [
    {
      name: 'name',
      label: labels.name,
      sorts: ['name', '-name'],
      card: 'wide',
      cell: ({ comment, lastFour }) => (
        <>
          <strong>{comment}</strong> <code title={words.lastFour}>…{lastFour}</code>
        </>
      ),
    },
    {
      name: 'scopes',
      label: labels.scopes,
      size: 'medium',
      card: 'start',
      cell: (token) => <span title={token.scopes.join(', ')}>{words.scopes(token.scopes.length, scopes.length)}</span>,
    },
    {
      name: 'used',
      label: labels.used,
      sorts: ['-used', 'used'],
      size: 'medium',
      card: 'end',
      cardLabel: labels.used,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : words.neverUsed),
    },
    {
      name: 'expires',
      label: labels.expires,
      size: 'medium',
      card: 'start',
      cardLabel: labels.expires,
      cell: ({ expiresAt }) => <Expiry at={expiresAt} now={now()} />,
    },
    createdColumn(labels.created, 'hidden'),
    {
      name: 'actions',
      label: labels.actions,
      size: 'large',
      align: 'end',
      card: 'end',
      cell: (token) => (mayWrite ? <TokenActions token={token} onAction={setAction} /> : null),
    },
  ]

  return (
    <>
      <ListPage resource={tokens} words={words} columns={columns} create={create} begin={null} />
      <Dialogs action={action} onClose={() => setAction(undefined)} />
    </>
  )
}

function Expiry({ at, now }: { at: string | null; now: number }) {
  if (at === null) return words.noExpiry
  return Date.parse(at) <= now ? <Dot tone="danger">{words.expired}</Dot> : <Day at={at} />
}

type ActionsProps = { token: AccessToken; onAction: (action: Action) => void }

function TokenActions({ token, onAction }: ActionsProps) {
  return (
    <span className="actions end" data-row-actions="">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={words.editNamed(token.comment)}
        onClick={() => onAction({ kind: 'edit', token })}
      >
        {words.edit}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={words.removeNamed(token.comment)}
        onClick={() => onAction({ kind: 'delete', token })}
      >
        {words.remove}
      </Button>
    </span>
  )
}

type DialogsProps = { action: Action | undefined; onClose: () => void }

function Dialogs({ action, onClose }: DialogsProps) {
  const [secret, setSecret] = useState<string>()
  // What a dialog was about stays while it goes away.
  const [token, setToken] = useState<AccessToken>()
  const about = action && 'token' in action ? action.token : token
  if (about !== token) setToken(about)
  return (
    <>
      <CreateTokenDialog opened={action?.kind === 'create'} onClose={onClose} onSecret={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} words={words.secret} />
      {about ? (
        <>
          <EditTokenDialog token={about} opened={action?.kind === 'edit'} onClose={onClose} />
          <DeleteTokenDialog token={about} opened={action?.kind === 'delete'} onClose={onClose} />
        </>
      ) : null}
    </>
  )
}
