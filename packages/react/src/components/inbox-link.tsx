import { ButtonLink } from '../elements/button.tsx'
import { useMessages, useTollgateContext } from '../provider.tsx'

/** The way to the development inbox, where the provider was given one. */
export function InboxLink() {
  const { inbox } = useTollgateContext()
  const { openInbox } = useMessages('common')
  return inbox ? (
    <ButtonLink href={inbox} look="primary" wide>
      {openInbox}
    </ButtonLink>
  ) : null
}
