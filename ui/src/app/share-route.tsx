import { useRouterState } from '@tanstack/react-router'
import { ShareScreen } from './share-screen.tsx'

/** What is behind a link, for those who have come to it from another screen. */
export function ShareRoute() {
  return <ShareScreen href={useRouterState({ select: ({ location }) => location.href })} />
}
