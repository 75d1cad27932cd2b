import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { VerifyAddress } from './joining-parts.tsx'
import { OrganizationErrors } from './organization-parts.tsx'

export type OrganizationUnverifiedProps = {
  /** The organization's name. */
  organization: string
  /** The member's address. */
  email: string
  /** The next page after confirmation. */
  back: string
}

/** For a member of an organization that requires verified addresses: how to verify theirs. */
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
