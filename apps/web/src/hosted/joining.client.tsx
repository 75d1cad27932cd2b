import { createTollgateClient, type TollgateClient } from '@tollgate/client'
import { hydratePage } from './hydrate.tsx'
import { JoiningPage, type JoiningProps } from './joining.page.tsx'
import { sayOnce } from './said-once.ts'

sayOnce()
hydratePage<Omit<JoiningProps, 'client'>, TollgateClient>(createTollgateClient, (props) => <JoiningPage {...props} />)
