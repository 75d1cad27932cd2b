import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAdministration, useDashboard } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { textOf } from '../../parts/form.ts'
import { answerOf } from '../../queries/answer.ts'
import { createUser as words } from '../texts.ts'

/** Creates a user and opens their page. */
export function CreateUserDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { client } = useDashboard()
  const administration = useAdministration()
  const navigate = useNavigate()
  const [hasPassword, setHasPassword] = useState(false)

  async function create(form: FormData) {
    const [name, email, role, password] = ['name', 'email', 'role', 'password'].map((field) => textOf(form, field))
    const { user } = await answerOf(
      client.adminCreateUser({
        name: name!,
        email: email!,
        ...(role && { role }),
        ...(password && { password }),
        data: { emailVerified: form.has('verified') },
      }),
    )
    if (form.has('link')) {
      // The account exists even if the mail could not be ordered.
      const { error } = await client.requestPasswordReset({ email: user.email, redirectTo: '/reset-password' })
      notifications.show(
        error ? { color: 'red', message: error.message ?? error.statusText } : { message: words.mailed(user.email) },
      )
    }
    void navigate({ to: '/admin/users/$userId', params: { userId: user.id } })
    return words.done(user.email)
  }

  return (
    <ActionDialog opened={opened} onClose={onClose} title={words.title} submit={words.submit} run={create}>
      {(errorOf) => (
        <>
          <TextInput name="name" label={words.name} autoComplete="off" error={errorOf('name')} data-autofocus />
          <TextInput name="email" type="email" label={words.email} autoComplete="off" error={errorOf('email')} />
          <NativeSelect name="role" label={words.role} data={[...administration.roles]} />
          <PasswordInput
            name="password"
            label={words.password}
            description={words.passwordHint}
            autoComplete="new-password"
            error={errorOf('password')}
            onChange={(event) => setHasPassword(event.currentTarget.value !== '')}
          />
          {administration.features.resetPassword && !hasPassword ? (
            <Checkbox name="link" label={words.sendLink} defaultChecked />
          ) : null}
          <Checkbox name="verified" label={words.verified} />
        </>
      )}
    </ActionDialog>
  )
}
