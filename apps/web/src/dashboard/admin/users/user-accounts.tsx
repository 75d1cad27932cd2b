import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { SessionUser } from '@tollgate/contract/types'
import { useAdministration, useDashboard } from '../../context.ts'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Day } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { userAccountsQuery } from '../../queries/users.ts'
import { user as userWords } from '../texts.ts'
import { providerName } from './provider-name.ts'

const words = userWords.accounts

/** A user's sign-in methods. */
export function AccountsPanel({ user, onSetPassword }: { user: SessionUser; onSetPassword: () => void }) {
  const { client } = useDashboard()
  const administration = useAdministration()
  const { data, error, refetch } = useQuery(userAccountsQuery(client, user.id))
  const sendReset = useMutation({
    mutationFn: () => answerOf(client.requestPasswordReset({ email: user.email, redirectTo: '/reset-password' })),
    onSuccess: () => notifications.show({ message: words.resetSent(user.email) }),
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
  return (
    <Panel
      title={words.title}
      actions={
        <>
          {administration.features.resetPassword ? (
            <Button
              variant="default"
              size="compact-sm"
              aria-disabled={sendReset.isPending || undefined}
              onClick={() => !sendReset.isPending && sendReset.mutate()}
            >
              {words.sendReset}
            </Button>
          ) : null}
          <Button variant="default" size="compact-sm" onClick={onSetPassword}>
            {words.setPassword}
          </Button>
        </>
      }
    >
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} /> : null}
      {data?.accounts.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ul className="rows">
        {data?.accounts.map((account) => (
          <li key={account.id}>
            <span className="grow">
              <strong>{providerName(account.providerId)}</strong>
              {account.providerId === 'credential' ? null : <code className="quiet block">{account.accountId}</code>}
            </span>
            <span className="quiet">
              {words.since} <Day at={account.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
