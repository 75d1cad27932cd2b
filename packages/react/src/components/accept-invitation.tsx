import { invitationAccept, invitationReject } from '@tollgate/contract/forms'
import type { OrganizationPages } from '@tollgate/contract/pages'
import { useState } from 'react'
import { OrganizationMark } from '../elements/organization-mark.tsx'
import { Screen, ScreenBrand } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFormAlert } from './form-parts.tsx'
import { Told, UseOtherAccount, VerifyAddress, WaysIn } from './joining-parts.tsx'
import { leaveFor } from './leave.ts'
import { Facts, OrganizationErrors, useOrganizationPath, useRoleText } from './organization-parts.tsx'
import { DateTime } from './time.tsx'

type Data = OrganizationPages['accept-invitation']
type Invitation = NonNullable<Data['invitation']>

/** The obstacle to accepting an invitation, or `ready`. */
export type AcceptInvitationStatus = Data['status']

export type AcceptInvitationProps = Omit<Data, 'now'> & {
  /** Where the forms post without JavaScript. Default: the invitation's own page. */
  action?: string
  state?: FormState
  /** Called instead of navigating to the organization's pages. */
  onAccepted?: (organizationId: string) => void
}

/** The target of an invitation mail: accept it, decline it, or do what must happen first. */
export function AcceptInvitation(props: AcceptInvitationProps) {
  const { invitation } = props
  return (
    <OrganizationErrors>
      <ScreenBrand
        value={
          invitation ? (
            <OrganizationMark name={invitation.organizationName} image={invitation.organizationLogo} />
          ) : (
            true
          )
        }
      >
        <ByStatus {...props} />
      </ScreenBrand>
    </OrganizationErrors>
  )
}

function ByStatus(props: AcceptInvitationProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  const t = useText()
  const [declined, setDeclined] = useState(false)
  const { session, invitation, invitationId, proof, state } = props
  const page = `${paths.acceptInvitation}/${encodeURIComponent(invitationId)}`
  const back = withQuery(page, { proof })
  const organization = invitation?.organizationName
  const current = session?.user.email ?? ''

  switch (declined ? 'rejected' : props.status) {
    case 'ready':
      return invitation ? (
        <Answers {...props} invitation={invitation} page={page} onDeclined={() => setDeclined(true)} />
      ) : (
        <Told title={texts.goneTitle} text={texts.goneText} />
      )
    case 'signed-out':
      return (
        <Screen
          title={organization === undefined ? texts.signedOutTitle : t(texts.title, { organization })}
          text={invitation ? t(texts.signedOutText, { email: invitation.email }) : texts.signedOutTextNoAddress}
        >
          {invitation ? <About invitation={invitation} /> : null}
          <WaysIn
            back={back}
            signUp={
              props.signUp ? withQuery(paths.signUp, { invitation: invitationId, proof, callbackURL: back }) : undefined
            }
          />
        </Screen>
      )
    case 'other-account':
      return (
        <Screen
          title={texts.otherTitle}
          text={
            invitation
              ? t(texts.otherText, { email: invitation.email, current })
              : t(texts.otherTextNoAddress, { current })
          }
        >
          {invitation ? <About invitation={invitation} /> : null}
          <UseOtherAccount back={back} />
        </Screen>
      )
    case 'unverified':
      return (
        <VerifyAddress
          title={texts.verifyTitle}
          text={t(texts.verifyText, { email: current })}
          email={current}
          back={back}
          state={state}
        />
      )
    case 'wants-verified':
      return (
        <VerifyAddress
          title={texts.verifyTitle}
          text={
            organization === undefined
              ? t(texts.wantsVerifiedTextNoName, { email: current })
              : t(texts.wantsVerifiedText, { organization, email: current })
          }
          email={current}
          back={back}
          state={state}
        />
      )
    case 'not-found':
      return <Told title={texts.goneTitle} text={texts.goneText} />
    case 'inviter-gone':
      return <Told title={texts.inviterGoneTitle} text={texts.inviterGoneText} />
    case 'full':
      return <Told title={texts.fullTitle} text={texts.fullText} />
    case 'already-member':
      return (
        <Told
          title={organization === undefined ? texts.alreadyTitleNoName : t(texts.alreadyTitle, { organization })}
          slug={invitation?.organizationSlug}
          organization={organization}
        />
      )
    case 'expired':
      return (
        <Told
          title={texts.expiredTitle}
          text={invitation ? t(texts.expiredText, namesIn(invitation)) : texts.goneText}
        />
      )
    case 'canceled':
      return (
        <Told
          title={texts.canceledTitle}
          text={invitation ? t(texts.canceledText, namesIn(invitation)) : texts.goneText}
        />
      )
    case 'used':
      if (!session && invitation) {
        return (
          <Screen title={texts.usedTitle} text={t(texts.usedText, namesIn(invitation))}>
            <WaysIn back={back} signUp={undefined} />
          </Screen>
        )
      }
      // A member who accepted it and left needs a new invitation.
      return (
        <Told
          title={texts.usedTitle}
          text={invitation && invitation.email !== current ? t(texts.usedText, namesIn(invitation)) : texts.goneText}
        />
      )
    case 'rejected':
      return <Told title={texts.declinedTitle} text={texts.declinedText} />
  }
}

const namesIn = ({ organizationName, inviterName, inviterEmail, email }: Invitation) => ({
  organization: organizationName,
  inviter: inviterName || inviterEmail,
  email,
})

/** The inviter, the role, and the expiry. */
function About({ invitation }: { invitation: Invitation }) {
  const texts = useMessages('joinOrganization')
  const t = useText()
  const roleText = useRoleText()
  const { inviterName, inviterEmail, email, role, expiresAt } = invitation
  return (
    <Facts
      facts={[
        t(texts.invitedBy, { inviter: inviterName || inviterEmail }),
        t(texts.role, { role: roleText(role) }),
        t(texts.forEmail, { email }),
        t.rich(texts.until, { date: <DateTime at={expiresAt} /> }),
      ]}
    />
  )
}

function Answers({
  invitation,
  proof,
  page,
  action = page,
  state,
  onAccepted,
  onDeclined,
}: AcceptInvitationProps & { invitation: Invitation; page: string; onDeclined: () => void }) {
  const texts = useMessages('joinOrganization')
  const t = useText()
  const pathOf = useOrganizationPath()
  const [joined, setJoined] = useState(false)
  const organization = invitation.organizationName
  const accept = useFormOf(invitationAccept, {
    state,
    leave: () => {
      setJoined(true)
      if (onAccepted) onAccepted(invitation.organizationId)
      else leaveFor(pathOf(invitation.organizationSlug))
    },
  })
  const decline = useFormOf(invitationReject, {
    state,
    report: (result) => {
      if (!result?.done) return result
      onDeclined()
      return undefined
    },
  })
  const acceptAlert = useFormAlert(accept)
  const declineAlert = useFormAlert(decline)
  return (
    <Screen
      title={t(texts.title, { organization })}
      alert={acceptAlert ?? declineAlert}
      status={joined ? t(texts.joined, { organization }) : undefined}
      open={joined}
    >
      <About invitation={invitation} />
      <div data-tg="form">
        <form {...accept.props} action={action}>
          <Hidden form={accept.name} invitationId={invitation.id} proof={proof} />
          <Submit form={accept} wide busyLabel={texts.joining}>
            {texts.join}
          </Submit>
        </form>
        <form {...decline.props} action={action}>
          <Hidden form={decline.name} invitationId={invitation.id} proof={proof} />
          <Submit form={decline} look="secondary" wide busyLabel={texts.declining}>
            {texts.decline}
          </Submit>
        </form>
      </div>
    </Screen>
  )
}
