import { useRouterState } from '@tanstack/react-router'
import { Leave } from './leave.tsx'

/** An address without a screen is taken for a path of the files: "/photos/" means "/files/photos/". */
export function UnknownPath() {
  const href = useRouterState({ select: ({ location }) => location.href })
  // While the next screen is on its way, this one is still shown at the new address.
  return href.startsWith('/files/') ? null : <Leave to={`/files${href}`} />
}
