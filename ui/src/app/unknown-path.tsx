import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Leave } from './leave.tsx'

/** An address without a screen is taken for a path of the files: "/photos/" means "/files/photos/". */
export function UnknownPath() {
  const router = useRouter()
  // Of the moment it appeared: while the next screen is on its way, such as the login page, this one is still shown.
  const [href] = useState(() => router.state.location.href)
  return href.startsWith('/files/') ? null : <Leave to={`/files${href}`} />
}
