import { ButtonLink, type ButtonProps } from '../elements/button.tsx'
import { useMessages, useTollgateContext } from '../provider.tsx'

/** A link to the development inbox, if the provider has its address. */
export function InboxLink({ look = 'primary', wide = true }: { look?: ButtonProps['look']; wide?: boolean }) {
  const { inbox } = useTollgateContext()
  const { openInbox } = useMessages('common')
  return inbox ? (
    <ButtonLink href={inbox} look={look} wide={wide}>
      {openInbox}
    </ButtonLink>
  ) : null
}
