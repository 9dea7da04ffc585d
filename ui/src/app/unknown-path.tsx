import { useRouterState } from '@tanstack/react-router'
import { Leave } from './leave.tsx'

/** An address without a screen is taken for a path of the files: "/photos/" means "/files/photos/". */
export function UnknownPath() {
  const href = useRouterState({ select: ({ location }) => location.href })
  return <Leave to={href.startsWith('/files') ? '/files/' : `/files${href}`} />
}
