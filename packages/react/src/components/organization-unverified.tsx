import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { VerifyAddress } from './joining-parts.tsx'
import { OrganizationErrors } from './organization-parts.tsx'

export type OrganizationUnverifiedProps = {
  /** The organization's name. */
  organization: string
  /** The member's address. */
  email: string
  /** Where to go on once it is confirmed. */
  back: string
}

/** For a member of an organization in which only people with a confirmed address may act: how to become one of them. */
export function OrganizationUnverified({ organization, email, back }: OrganizationUnverifiedProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('joinOrganization')
  const t = useText()
  return (
    <OrganizationErrors>
      <VerifyAddress
        title={texts.verifyTitle}
        text={t(texts.wantsVerifiedText, { organization, email })}
        email={email}
        back={back}
        state={undefined}
        leave={paths.organizations}
      />
    </OrganizationErrors>
  )
}
