import type { AccessRequest, Connector } from '@tollgate/contract/calls'
import type { ReactNode } from 'react'
import { usePermission } from '../hooks/use-organization.ts'

export type ProtectProps = {
  /** What has to be allowed: actions by resource, such as `{ member: ['create'] }`. */
  permission: AccessRequest
  /** `OR`: any of it is enough. */
  connector?: Connector
  /** Drawn for who may not. */
  fallback?: ReactNode
  /** Drawn until it is known. */
  loading?: ReactNode
  children: ReactNode
}

/**
 * Draws what is in it only for members of the active organization who may do something there. It keeps no secret: what is in
 * it has been sent to the browser, and the server checks every call by itself.
 */
export function Protect({ permission, connector, fallback = null, loading = null, children }: ProtectProps) {
  const allowed = usePermission(permission, connector)
  if (allowed === undefined) return loading
  return allowed ? children : fallback
}
