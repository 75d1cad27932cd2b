import type { OrganizationFrame } from '@tollgate/contract/pages'
import { useForm } from '../../hooks/use-form.ts'
import { useTollgate } from '../../hooks/use-session.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useTollgateContext } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { leaveFor } from '../leave.ts'
import type { OrganizationSection } from './data.ts'
import { type Report, sent, usePageOf } from './parts.tsx'

/** The button that ends the viewer's membership, or why it cannot end yet. */
export function LeaveForm({
  frame,
  soleOwner,
  action,
  report,
  onLeft,
}: {
  frame: OrganizationFrame
  /** The viewer is the only owner. */
  soleOwner: boolean
  /** The section that contains the form. */
  action: OrganizationSection
  report: Report
  onLeft: (() => void) | undefined
}) {
  const client = useTollgate()
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationMembers')
  const page = usePageOf(frame)(action)
  const form = useForm({
    name: 'organization-leave',
    state: undefined,
    fields: {},
    submit: async () =>
      report(
        await sent(client.leaveOrganization({ organizationId: frame.organization.id }), [], () => {
          if (onLeft) onLeft()
          else leaveFor(withQuery(paths.organizations, { done: 'organization-left' }))
          return undefined
        }),
      ),
  })
  if (soleOwner && frame.isOwner) return <p>{texts.leaveOnlyOwner}</p>
  return (
    <form {...form.props} action={page} data-tg="ask">
      <Hidden form={form.name} organizationId={frame.organization.id} />
      <p>{texts.leaveText}</p>
      <Submit form={form} look="danger-outline" busyLabel={texts.leaving}>
        {texts.leaveSubmit}
      </Submit>
    </form>
  )
}
