import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { SessionUser } from '@tollgate/contract/types'
import { useState } from 'react'
import { useAdministration, useDashboard } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { answerOf } from '../../queries/answer.ts'
import { userDialogs as userDialogWords, user as userWords } from '../texts.ts'
import { type BanDuration, banDurations, banSeconds } from './ban-duration.ts'
import styles from './user-dialogs.module.css'
import { RemoveDialog } from './user-removal.dialog.tsx'

/** Actions on a user that need a dialog. */
export type UserAction = 'edit' | 'role' | 'ban' | 'impersonate' | 'password' | 'sessions' | 'remove'

type Props = { user: SessionUser; action: UserAction | undefined; onClose: () => void }

/** The dialog of each action; one is open at most. */
export function UserDialogs({ user, action, onClose }: Props) {
  const frame = (wanted: UserAction) => ({ user, opened: action === wanted, onClose })
  return (
    <>
      <EditDialog {...frame('edit')} />
      <RoleDialog {...frame('role')} />
      <BanDialog {...frame('ban')} />
      <ImpersonateDialog {...frame('impersonate')} />
      <PasswordDialog {...frame('password')} />
      <EndSessionsDialog {...frame('sessions')} />
      <RemoveDialog {...frame('remove')} />
    </>
  )
}

type DialogProps = { user: SessionUser; opened: boolean; onClose: () => void }

const nameOf = (user: SessionUser) => user.name || user.email

/** Unbanning needs no confirmation: it removes nothing and can be undone. */
export function useUnban(user: SessionUser) {
  const { client, queries } = useDashboard()
  return useMutation({
    mutationFn: () => answerOf(client.adminUnbanUser({ userId: user.id })),
    onSuccess: () => {
      notifications.show({ message: userWords.unbanned(nameOf(user)) })
      return queries.invalidateQueries()
    },
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
}

function EditDialog({ user, ...frame }: DialogProps) {
  const { client } = useDashboard()
  const administration = useAdministration()
  const words = userDialogWords.editing
  const hasUsername = administration.features.username
  async function save(form: FormData) {
    const username = textOf(form, 'username')
    await answerOf(
      client.adminUpdateUser({
        userId: user.id,
        data: {
          name: textOf(form, 'name'),
          ...(form.has('noImage') && { image: null }),
          emailVerified: form.has('verified'),
          // An empty field keeps the username: it can change, but not be removed.
          ...(hasUsername && username && username !== user.displayUsername && { username, displayUsername: username }),
        },
      }),
    )
    return words.done
  }
  return (
    <ActionDialog {...frame} title={words.title} submit={words.submit} run={save}>
      {(errorOf) => (
        <>
          <TextInput
            name="name"
            label={words.name}
            defaultValue={user.name}
            autoComplete="off"
            error={errorOf('name')}
            data-autofocus
          />
          {hasUsername ? (
            <TextInput
              name="username"
              label={words.username}
              defaultValue={user.displayUsername ?? user.username ?? ''}
              autoComplete="off"
              spellCheck={false}
              error={errorOf('username')}
            />
          ) : null}
          {user.image ? <Checkbox name="noImage" label={words.noImage} /> : null}
          <Checkbox name="verified" label={words.verified} defaultChecked={user.emailVerified} />
        </>
      )}
    </ActionDialog>
  )
}

function RoleDialog({ user, ...frame }: DialogProps) {
  const { client } = useDashboard()
  const administration = useAdministration()
  const words = userDialogWords.role
  const held = (user.role ?? administration.roles[0] ?? '').split(',').map((role) => role.trim())
  async function setRole(form: FormData) {
    const role = form.getAll('role').map(String)
    if (role.length === 0) throw new FieldError('role', words.least)
    await answerOf(client.adminSetRole({ userId: user.id, role }))
    return words.done(nameOf(user), role.join(', '))
  }
  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={setRole}>
      {(errorOf) => (
        <Checkbox.Group label={words.legend} defaultValue={held} error={errorOf('role')}>
          <div className={styles.choices}>
            {/* A role that no longer exists stays listed so that it can be removed. */}
            {[...new Set([...administration.roles, ...held])].map((role) => (
              <Checkbox key={role} name="role" value={role} label={role} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </ActionDialog>
  )
}

function BanDialog({ user, ...frame }: DialogProps) {
  const { client, now } = useDashboard()
  const words = userDialogWords.ban
  const [duration, setDuration] = useState<BanDuration>('forEver')
  async function ban(form: FormData) {
    const reason = textOf(form, 'reason')
    const seconds = banSeconds(duration, textOf(form, 'date'), now())
    if (seconds === null) throw new FieldError('date', words.dateWrong)
    await answerOf(
      client.adminBanUser({
        userId: user.id,
        ...(reason && { banReason: reason }),
        ...(seconds !== undefined && { banExpiresIn: seconds }),
      }),
    )
    return words.done(nameOf(user))
  }
  return (
    <ActionDialog {...frame} title={words.title(nameOf(user))} text={words.text} submit={words.submit} danger run={ban}>
      {(errorOf) => (
        <>
          <Textarea
            name="reason"
            label={words.reason}
            description={words.reasonHint}
            maxLength={500}
            rows={2}
            autoComplete="off"
            data-autofocus
          />
          <NativeSelect
            label={words.until}
            data={banDurations.map((value) => ({ value, label: words.durations[value] }))}
            value={duration}
            onChange={(event) =>
              setDuration(banDurations.find((each) => each === event.currentTarget.value) ?? 'forEver')
            }
          />
          {duration === 'date' ? (
            <TextInput name="date" type="datetime-local" label={words.date} error={errorOf('date')} />
          ) : null}
        </>
      )}
    </ActionDialog>
  )
}

function ImpersonateDialog({ user, ...frame }: DialogProps) {
  const { client } = useDashboard()
  const words = userDialogWords.impersonation
  async function impersonate(form: FormData) {
    const reason = textOf(form, 'reason')
    if (reason === '') throw new FieldError('reason', words.reasonMissing)
    await answerOf(client.adminImpersonateUser({ userId: user.id, reason }))
    // The user has no dashboard: open a page that shows the impersonation and the way back.
    location.assign('/account')
    return undefined
  }
  return (
    <ActionDialog
      {...frame}
      title={words.title(nameOf(user))}
      text={words.text}
      submit={words.submit}
      invalidates={false}
      run={impersonate}
    >
      {(errorOf) => (
        <TextInput
          name="reason"
          label={words.reason}
          description={words.reasonHint}
          maxLength={500}
          autoComplete="off"
          error={errorOf('reason')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}

function PasswordDialog({ user, ...frame }: DialogProps) {
  const { client } = useDashboard()
  const words = userDialogWords.password
  async function setPassword(form: FormData) {
    const newPassword = form.get('password')
    await answerOf(
      client.adminSetUserPassword({ userId: user.id, newPassword: typeof newPassword === 'string' ? newPassword : '' }),
    )
    return words.done
  }
  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={setPassword}>
      {(errorOf) => (
        <>
          {/* Tells password managers whose password this is. */}
          <input type="email" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            name="password"
            label={words.password}
            autoComplete="new-password"
            error={errorOf('password')}
            data-autofocus
          />
        </>
      )}
    </ActionDialog>
  )
}

function EndSessionsDialog({ user, ...frame }: DialogProps) {
  const { client } = useDashboard()
  const words = userWords.sessions
  return (
    <ActionDialog
      {...frame}
      title={words.endAllTitle}
      text={words.endAllText(nameOf(user))}
      submit={words.endAllSubmit}
      danger
      run={async () => {
        await answerOf(client.adminRevokeUserSessions({ userId: user.id }))
        return words.allEnded
      }}
    />
  )
}
