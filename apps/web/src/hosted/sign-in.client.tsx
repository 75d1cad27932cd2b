import { createEntranceClient, type EntranceClient } from '@tollgate/client'
import { hydratePage } from './hydrate.tsx'
import { drawnMarks } from './provider-marks.tsx'
import { SignInPage, type SignInPageProps } from './sign-in.page.tsx'

const drawn = drawnMarks()

hydratePage<Omit<SignInPageProps, 'client'>, EntranceClient>(createEntranceClient, (props) => (
  <SignInPage {...props} marks={props.marks ?? drawn} />
))
