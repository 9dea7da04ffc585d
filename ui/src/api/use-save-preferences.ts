import { useCallback } from 'react'
import { updateUser } from '../../../src/api/accounts/users.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { useClient } from './client.ts'
import { useSession } from './session.ts'

/** Changes fields of the user's own account. @throws ApiError */
export type SavePreferences = (fields: Partial<UserView>) => Promise<void>

/** Saves the user's preferences and updates all windows of this browser. */
export function useSavePreferences(): SavePreferences {
  const client = useClient()
  const session = useSession()
  return useCallback(
    async (fields) => {
      const state = session.state.get()
      if (state.status !== 'signed-in') return
      const { id } = state.user
      const body = { what: 'user', which: Object.keys(fields), data: { id, ...fields } }
      await client.call(updateUser, { params: { id: String(id) }, body })
      // The token has a copy of the user: without a new one, a reload would show the old value.
      await session.renew()
    },
    [client, session],
  )
}
