import type { ComponentProps, MouseEvent } from 'react'
import { usePlace } from '../../lib/app-place.ts'
import { appHref, useNavigateTo } from '../../lib/use-navigate-to.ts'

interface AppLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A place of the app, percent-encoded, such as `filesHref('/a b/')`. */
  to: string
  replace?: boolean | undefined
}

/** A link inside the app. Modified clicks (new tab, download) stay with the browser. */
export function AppLink({ to, replace, onClick, ...rest }: AppLinkProps) {
  const { basepath } = usePlace()
  const navigateTo = useNavigateTo()
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || modified || rest.target === '_blank') return
    event.preventDefault()
    navigateTo(to, { replace: replace ?? false })
  }
  return <a {...rest} href={appHref(basepath, to)} onClick={handleClick} />
}
