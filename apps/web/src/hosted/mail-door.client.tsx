import { createEntranceClient, type EntranceClient } from '@tollgate/client'
import { hydratePage } from './hydrate.tsx'
import { MailDoorPage, type MailDoorProps } from './mail-door.page.tsx'

hydratePage<Omit<MailDoorProps, 'client'>, EntranceClient>(createEntranceClient, (props) => <MailDoorPage {...props} />)
