import { useRouterState } from '@tanstack/react-router'
import { filesPathOf } from './app-path.ts'

/** The decoded path of the folder or file that is open: "/a b/"; `undefined` outside of /files. */
export function useFilesPath(): string | undefined {
  return useRouterState({ select: ({ location }) => filesPathOf(location.href) })
}
