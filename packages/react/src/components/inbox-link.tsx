import { ButtonLink, type ButtonProps } from '../elements/button.tsx'
import { useMessages, useTollgateContext } from '../provider.tsx'

/** The way to the development inbox, where the provider was given one. */
export function InboxLink({ look = 'primary', wide = true }: { look?: ButtonProps['look']; wide?: boolean }) {
  const { inbox } = useTollgateContext()
  const { openInbox } = useMessages('common')
  return inbox ? (
    <ButtonLink href={inbox} look={look} wide={wide}>
      {openInbox}
    </ButtonLink>
  ) : null
}
