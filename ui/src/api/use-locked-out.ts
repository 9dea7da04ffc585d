import { useConfig } from './page-config.tsx'
import { useUser } from './session.ts'

/** Maintenance is on, and this user is no administrator. */
export function useLockedOut(): boolean {
  const { Maintenance } = useConfig()
  const user = useUser()
  return Maintenance !== undefined && user?.perm.admin !== true
}
