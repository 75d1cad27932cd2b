import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SessionUser } from '@tollgate/contract/types'
import { useDashboard } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { answerOf, CallError } from '../../queries/answer.ts'
import { type UserOrganization, userOrganizationsQuery, userRemovalQuery } from '../../queries/organizations.ts'
import { texts } from '../../texts.ts'
import { EndingPurchases } from '../ending-purchases.tsx'
import { userDialogs as userDialogWords } from '../texts.ts'
import { OrganizationLink } from './user-organizations.tsx'

type Props = { user: SessionUser; opened: boolean; onClose: () => void }

const words = userDialogWords.removal

/** Asks for the address before deleting a user, or names the organizations that would lose their only owner. */
export function RemoveDialog({ user, ...frame }: Props) {
  const { client } = useDashboard()
  const { data } = useInfiniteQuery({ ...userOrganizationsQuery(client, user.id), enabled: frame.opened })
  const owned = data?.pages.flatMap((page) => page.organizations).filter(({ soleOwner }) => soleOwner) ?? []
  const inNeed = owned.filter(({ memberCount }) => memberCount > 1)
  return inNeed.length > 0 ? (
    <BlockedDialog {...frame} user={user} inNeed={inNeed} />
  ) : (
    <ConfirmDialog {...frame} user={user} owned={owned} />
  )
}

const nameOf = (user: SessionUser) => user.name || user.email

type Owned = readonly UserOrganization[]

function BlockedDialog({ user, inNeed, opened, onClose }: Props & { inNeed: Owned }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.blocked.title(nameOf(user))}>
      <div className="fields">
        <p>{words.blocked.text}</p>
        <ul className="plain">
          {inNeed.map(({ organization, memberCount }) => (
            <li key={organization.id}>
              <OrganizationLink organization={organization} />{' '}
              <span className="quiet">{words.blocked.others(memberCount - 1)}</span>
            </li>
          ))}
        </ul>
        <p className="quiet">{words.blocked.how}</p>
        <div className="actions end">
          <Button variant="default" onClick={onClose}>
            {texts.dialog.close}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The server's refusal if the user became an only owner meanwhile. */
const onlyOwner = 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'

function ConfirmDialog({ user, owned, ...frame }: Props & { owned: Owned }) {
  const { client, queries } = useDashboard()
  const navigate = useNavigate()
  const { data: plan } = useQuery({ ...userRemovalQuery(client, user.id), enabled: frame.opened })
  async function remove(form: FormData) {
    if (textOf(form, 'confirm').toLowerCase() !== user.email) throw new FieldError('confirm', words.mismatch)
    try {
      await answerOf(client.adminRemoveUser({ userId: user.id }))
    } catch (error) {
      if (!(error instanceof CallError && error.code === onlyOwner)) throw error
      // After a refresh the dialog names those organizations.
      await queries.invalidateQueries({ queryKey: ['user', user.id, 'organizations'] })
      throw new Error(words.onlyOwner, { cause: error })
    }
    // Navigate first: this page's object no longer exists.
    await navigate({ to: '/admin/users' })
    return words.done(nameOf(user))
  }
  return (
    <ActionDialog
      {...frame}
      title={words.title(nameOf(user))}
      text={
        <>
          {words.text}
          {owned.length > 0 ? (
            <span className="block">{words.along(owned.map(({ organization }) => organization.name))}</span>
          ) : null}
          <EndingPurchases purchases={plan?.purchases} />
        </>
      }
      submit={words.submit}
      danger
      run={remove}
    >
      {(errorOf) => (
        <TextInput
          name="confirm"
          label={words.confirm(user.email)}
          autoComplete="off"
          spellCheck={false}
          error={errorOf('confirm')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}
