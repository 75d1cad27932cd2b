import { createEntranceClient, type EntranceClient } from '@tollgate/client'
import { hydratePage } from './hydrate.tsx'
import { drawnMarks } from './provider-marks.tsx'
import { SignUpPage, type SignUpPageProps } from './sign-up.page.tsx'

const drawn = drawnMarks()

hydratePage<Omit<SignUpPageProps, 'client'>, EntranceClient>(createEntranceClient, (props) => (
  <SignUpPage {...props} marks={props.marks ?? drawn} />
))
