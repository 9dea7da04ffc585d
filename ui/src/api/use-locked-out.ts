import { useConfig } from './page-config.tsx'
import { useUser } from './session.ts'

/** True if maintenance is on and this user is not an administrator. */
export function useLockedOut(): boolean {
  const { Maintenance } = useConfig()
  const user = useUser()
  return Maintenance !== undefined && user?.perm.admin !== true
}
