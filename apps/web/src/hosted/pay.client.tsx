import { createEntranceClient, type EntranceClient } from '@tollgate/client'
import { hydratePage } from './hydrate.tsx'
import { PayPage, type PayProps } from './pay.page.tsx'

hydratePage<Omit<PayProps, 'client'>, EntranceClient>(createEntranceClient, (props) => <PayPage {...props} />)
