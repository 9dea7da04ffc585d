import type { RouterHistory } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { App } from './app.tsx'
import { followSession } from './follow-session.ts'
import { createAppRouter } from './router.tsx'
import type { Services } from './services.ts'

/** What is drawn, and how it goes to other places. */
export interface Page {
  readonly element: ReactNode
  readonly history: RouterHistory
}

interface SessionStart {
  /** Why the session could not be looked up, when it could not. */
  readonly error: Error | undefined
  again(): Promise<Error | undefined>
}

/** The page of users who sign in or have signed in: all screens. */
export function pageOf(services: Services, { error, again }: SessionStart): Page {
  const router = createAppRouter(services)
  followSession(services, router)
  const element = <App services={services} router={router} startError={error} onRetry={again} />
  return { element, history: router.history }
}
