import { createContext, useContext } from 'react'
import { useStore } from '../lib/create-store.ts'
import type { Session, SessionState } from './session.ts'
import type { SessionUser } from './token.ts'

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('SessionProvider is missing above this component')
  return session
}

export function useSessionState(): SessionState {
  return useStore(useSession().state)
}

/** The signed-in user, also while the session is held; `undefined` for visitors. */
export function useUser(): SessionUser | undefined {
  const state = useSessionState()
  return 'user' in state ? state.user : undefined
}
