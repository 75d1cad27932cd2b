import type { SessionUser } from '@tollgate/contract/types'
import { Dot } from '../../parts/status.tsx'
import { users as usersWords } from '../texts.ts'

/** Whether a ban is active. An expired ban counts as none, even if the row still has it. */
export const isBanned = ({ banned, banExpires }: SessionUser, now: number): boolean =>
  banned && (banExpires === null || Date.parse(banExpires) > now)

/** A user's most important status. */
export function UserStatus({ user, now }: { user: SessionUser; now: number }) {
  const { banned, verified, unverified } = usersWords.status
  if (isBanned(user, now)) return <Dot tone="danger">{banned}</Dot>
  return user.emailVerified ? <Dot tone="ok">{verified}</Dot> : <Dot tone="warn">{unverified}</Dot>
}
