import { createEntranceClient, type EntranceClient } from '@tollgate/client'
import { hydratePage } from './hydrate.tsx'
import { ReceiptPage, type ReceiptProps } from './receipt.page.tsx'

hydratePage<Omit<ReceiptProps, 'client'>, EntranceClient>(createEntranceClient, (props) => <ReceiptPage {...props} />)
