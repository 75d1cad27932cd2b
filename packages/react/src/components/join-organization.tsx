import { linkJoin } from '@tollgate/contract/forms'
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

type Data = OrganizationPages['join-organization']
type Link = NonNullable<Data['link']>

/** The obstacle to joining by a link, or `ready`. */
export type JoinOrganizationStatus = Data['status']

export type JoinOrganizationProps = Omit<Data, 'now'> & {
  /** Where the form posts without JavaScript. Default: the link's own page. */
  action?: string
  state?: FormState
  /** Called instead of navigating to the organization's pages. */
  onJoined?: (organizationId: string) => void
}

/** The target of a shared link: join, request to join, or do what must happen first. */
export function JoinOrganization(props: JoinOrganizationProps) {
  const { link } = props
  return (
    <OrganizationErrors>
      <ScreenBrand
        value={link ? <OrganizationMark name={link.organizationName} image={link.organizationLogo} /> : true}
      >
        <ByStatus {...props} />
      </ScreenBrand>
    </OrganizationErrors>
  )
}

function ByStatus(props: JoinOrganizationProps) {
  const { paths, locale } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  const t = useText()
  const [requested, setRequested] = useState(false)
  const { session, link, token, state } = props
  const page = `${paths.join}/${encodeURIComponent(token)}`
  const organization = link?.organizationName
  const current = session?.user.email ?? ''
  const gone = <Told title={texts.linkGoneTitle} text={texts.linkGoneText} />
  if (!link || organization === undefined) return gone

  switch (requested || state?.done === 'join-requested' ? 'requested' : props.status) {
    case 'ready':
      return <JoinForm {...props} link={link} page={page} onRequested={() => setRequested(true)} />
    case 'signed-out':
      return (
        <Screen title={titleOf(link, texts, t)} text={texts.signedOutLink}>
          <About link={link} />
          <WaysIn back={page} signUp={props.signUp ? withQuery(paths.signUp, { callbackURL: page }) : undefined} />
        </Screen>
      )
    case 'not-found':
      return gone
    case 'other-domain':
      return (
        <Screen
          title={texts.otherDomainTitle}
          text={t(texts.otherDomainText, { domains: domainsText(link, locale), current })}
        >
          <UseOtherAccount back={page} />
        </Screen>
      )
    case 'wants-verified':
      return (
        <VerifyAddress
          title={texts.verifyTitle}
          text={t(texts.wantsVerifiedText, { organization, email: current })}
          email={current}
          back={page}
          state={state}
        />
      )
    case 'already-member':
      return (
        <Told
          title={t(texts.alreadyTitle, { organization })}
          slug={link.organizationSlug}
          organization={organization}
        />
      )
    case 'requested':
      return <Told title={texts.requestedTitle} text={t(texts.requestedText, { organization })} />
    case 'not-allowed':
      return <Told title={texts.notAllowedTitle} text={texts.notAllowedText} />
    case 'full':
      return <Told title={texts.fullTitle} text={texts.fullText} />
  }
}

const domainsText = ({ emailDomains }: Link, locale: string): string =>
  new Intl.ListFormat(locale, { type: 'disjunction' }).format(emailDomains)

const titleOf = (
  { requiresApproval, organizationName: organization }: Link,
  texts: { title: string; askTitle: string },
  t: ReturnType<typeof useText>,
): string => t(requiresApproval ? texts.askTitle : texts.title, { organization })

/** The role that a person joins with, and the requirements. */
function About({ link, email }: { link: Link; email?: string }) {
  const { locale } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  const t = useText()
  const roleText = useRoleText()
  return (
    <Facts
      facts={[
        email === undefined ? undefined : t(texts.asEmail, { email }),
        t(texts.role, { role: roleText(link.role) }),
        link.emailDomains.length > 0 ? t(texts.domains, { domains: domainsText(link, locale) }) : undefined,
        link.requiresApproval ? texts.approval : undefined,
        link.expiresAt ? t.rich(texts.until, { date: <DateTime at={link.expiresAt} /> }) : undefined,
      ]}
    />
  )
}

function JoinForm({
  session,
  link,
  token,
  page,
  action = page,
  state,
  onJoined,
  onRequested,
}: JoinOrganizationProps & { link: Link; page: string; onRequested: () => void }) {
  const texts = useMessages('joinOrganization')
  const t = useText()
  const pathOf = useOrganizationPath()
  const [joined, setJoined] = useState(false)
  const form = useFormOf(linkJoin, {
    state,
    leave: ({ organizationId = '' }) => {
      setJoined(true)
      if (onJoined) onJoined(organizationId)
      else leaveFor(pathOf(link.organizationSlug))
    },
    report: (result) => {
      if (!result?.done) return result
      onRequested()
      return undefined
    },
  })
  const alert = useFormAlert(form)
  return (
    <Screen
      title={titleOf(link, texts, t)}
      alert={alert}
      status={joined ? t(texts.joined, { organization: link.organizationName }) : undefined}
      open={joined}
    >
      <About link={link} {...(session ? { email: session.user.email } : {})} />
      <form {...form.props} action={action} data-tg="form">
        <Hidden form={form.name} token={token} />
        <Submit form={form} wide busyLabel={link.requiresApproval ? texts.asking : texts.joining}>
          {link.requiresApproval ? texts.ask : texts.join}
        </Submit>
      </form>
    </Screen>
  )
}
