import { z } from 'zod'
import { accountId, email, name, picture, read, toProfile, withParameters, yes } from '../protocol/profile-fields.ts'
import { ProviderFault, type ProviderRow, type ProviderSession } from '../protocol/provider.ts'

const userShape = z.object({ id: accountId, login: name, name, avatar_url: picture, email })
const addressShape = z.object({ email, primary: yes, verified: yes })
type Address = z.output<typeof addressShape>

export const github: ProviderRow = {
  name: 'GitHub',
  endpoints: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    profile: 'https://api.github.com/user',
    email: 'https://api.github.com/user/emails',
  },
  scopes: ['read:user', 'user:email'],
  loginHint: 'login',
  profile: async (session) => {
    const [said, addresses] = await Promise.all([
      session.ask(withParameters(session.endpoints.profile), { headers }),
      readAddresses(session),
    ])
    const user = read(userShape, said)
    if (!user) return undefined
    const best = bestOf(addresses)
    return toProfile({
      id: user.id,
      name: user.name ?? user.login,
      // The profile's address is public free text that GitHub does not verify.
      email: best?.email ?? user.email,
      emailVerified: best?.verified === true,
      image: user.avatar_url,
    })
  },
}

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

/** All addresses of the account; none without the permission to read them. */
async function readAddresses({ ask, endpoints }: ProviderSession): Promise<Address[]> {
  try {
    const said = await ask(withParameters(endpoints.email, { per_page: '100' }), { headers })
    return Array.isArray(said) ? said.flatMap((each) => read(addressShape, each) ?? []) : []
  } catch (fault) {
    if (fault instanceof ProviderFault) return []
    throw fault
  }
}

/** The primary address if verified, otherwise another verified one, otherwise the primary one unverified. */
function bestOf(addresses: readonly Address[]): Address | undefined {
  const reachable = addresses.filter((each) => each.email !== null && !each.email.endsWith('@users.noreply.github.com'))
  const verified = reachable.filter((each) => each.verified)
  return verified.find((each) => each.primary) ?? verified[0] ?? reachable.find((each) => each.primary)
}
