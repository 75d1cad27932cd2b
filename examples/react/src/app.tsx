import { SignedIn, SignedOut, SignIn, UserButton, useSession } from '@tollgate/react'

export function App() {
  const { data, pending, error, refetch } = useSession()
  if (pending) return <p>One moment …</p>
  if (error) return <p role="alert">The account server does not answer: {error.message}</p>
  return (
    <>
      <SignedIn>
        <UserButton onSignedOut={() => void refetch()} />
        <h1>Hello, {data?.user.name}</h1>
      </SignedIn>
      <SignedOut>
        <SignIn callbackURL={location.href} onSuccess={() => void refetch()} />
      </SignedOut>
    </>
  )
}
