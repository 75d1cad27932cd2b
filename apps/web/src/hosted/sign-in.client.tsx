import { createEntranceClient, type EntranceClient } from '@tollgate/client'
import { keepZone } from '../keep-zone.ts'
import { hydratePage } from './hydrate.tsx'
import { drawnMarks } from './provider-marks.tsx'
import { SignInPage, type SignInPageProps } from './sign-in.page.tsx'

const drawn = drawnMarks()

hydratePage<Omit<SignInPageProps, 'client'>, EntranceClient>(createEntranceClient, (props) => (
  <SignInPage {...props} marks={props.marks ?? drawn} />
))

// Before the first page of the dashboard, which shows dates.
keepZone()
