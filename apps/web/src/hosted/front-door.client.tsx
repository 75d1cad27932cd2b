import { FrontDoorPage, type FrontDoorProps } from './front-door.page.tsx'
import { hydratePage } from './hydrate.tsx'

hydratePage<Omit<FrontDoorProps, 'client'>>((props) => <FrontDoorPage {...props} />)
