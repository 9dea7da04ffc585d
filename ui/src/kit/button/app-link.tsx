import type { ComponentProps, MouseEvent } from 'react'
import { useNavigation, appHref, useNavigateTo } from '../../lib/navigation.tsx'

interface AppLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A place of the app, percent-encoded, such as `filesHref('/a b/')`. */
  to: string
  replace?: boolean | undefined
}

/** A link inside the app. Modified clicks (new tab, download) stay with the browser. */
export function AppLink({ to, replace, onClick, ...rest }: AppLinkProps) {
  const { base } = useNavigation()
  const navigateTo = useNavigateTo()
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || modified || rest.target === '_blank') return
    event.preventDefault()
    navigateTo(to, { replace: replace ?? false })
  }
  return <a {...rest} href={appHref(base, to)} onClick={handleClick} />
}
