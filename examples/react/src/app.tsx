import {
  OrganizationSwitcher,
  Protect,
  SignedIn,
  SignedOut,
  SignIn,
  UserButton,
  useOrganization,
  useSession,
} from '@tollgate/react'
import { server } from './server.ts'

export function App() {
  const { data, pending, error, refetch } = useSession()
  if (pending) return <p>One moment …</p>
  if (error) return <p role="alert">The account server does not answer: {error.message}</p>
  return (
    <>
      <SignedIn>
        <header>
          <OrganizationSwitcher />
          <UserButton onSignedOut={() => void refetch()} />
        </header>
        <h1>Hello, {data?.user.name}</h1>
        <Notes />
      </SignedIn>
      <SignedOut>
        <SignIn callbackURL={location.href} onSuccess={() => void refetch()} />
      </SignedOut>
    </>
  )
}

/** The switcher selects the owner of these notes; the role there decides the permissions. */
function Notes() {
  const { organization, members, pending } = useOrganization()
  if (pending) return <p>One moment …</p>
  if (!organization) return <p>These notes are your own. Choose an organization to see those that you share.</p>
  return (
    <>
      <h2>Notes of {organization.name}</h2>
      <p>Shared by {members.map(({ user }) => user.name).join(', ')}</p>
      <Protect permission={{ invitation: ['create'] }} fallback={<p>An administrator can invite others.</p>}>
        <a href={`${server}/org/${organization.slug}/invitations`}>Invite somebody</a>
      </Protect>
    </>
  )
}
