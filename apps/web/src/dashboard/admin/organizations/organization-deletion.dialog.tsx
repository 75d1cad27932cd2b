import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDashboard } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { answerOf } from '../../queries/answer.ts'
import { type OrganizationDetails, organizationDeletionQuery } from '../../queries/organizations.ts'
import { EndingPurchases } from '../ending-purchases.tsx'
import { organization as organizationWords } from '../texts.ts'

type Props = Pick<OrganizationDetails, 'organization'> & { opened: boolean; onClose: () => void }

/** Asks for the organization's slug before deleting it with everything in it. */
export function DeleteOrganizationDialog({ organization: { id, name, slug, memberCount }, ...frame }: Props) {
  const { client } = useDashboard()
  const navigate = useNavigate()
  const words = organizationWords.removal
  const { data: plan } = useQuery({ ...organizationDeletionQuery(client, id), enabled: frame.opened })
  async function remove(form: FormData) {
    if (textOf(form, 'confirm') !== slug) throw new FieldError('confirm', words.mismatch)
    await answerOf(client.adminDeleteOrganization({ organizationId: id }))
    // Navigate first: this page's object no longer exists.
    await navigate({ to: '/admin/organizations' })
    return words.done(name)
  }
  return (
    <ActionDialog
      {...frame}
      title={words.title(name)}
      text={
        <>
          {words.text(memberCount)}
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
          label={words.confirm(slug)}
          autoComplete="off"
          spellCheck={false}
          error={errorOf('confirm')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}
