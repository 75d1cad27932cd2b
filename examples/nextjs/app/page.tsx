import { readSession } from './session'

export default async function Page() {
  const session = await readSession()
  return session ? <h1>Hello, {session.user.name}</h1> : <h1>Notes</h1>
}
