import { organizationLeave } from '@tollgate/contract/forms'
import type { OrganizationFrame } from '@tollgate/contract/pages'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useMessages } from '../../provider.tsx'
import { FormActions, Hidden, Submit } from '../form-parts.tsx'
import type { OrganizationSection } from './data.ts'
import { type Report, usePageOf } from './parts.tsx'

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
  const texts = useMessages('organizationMembers')
  const page = usePageOf(frame)(action)
  const form = useFormOf(organizationLeave, {
    state: undefined,
    leave: onLeft,
    report: (result) => report(result),
  })
  if (soleOwner && frame.isOwner)
    return (
      <>
        <p>{texts.leaveOnlyOwner}</p>
        <FormActions />
      </>
    )
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
