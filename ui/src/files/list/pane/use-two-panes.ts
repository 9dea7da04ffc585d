import { useState } from 'react'
import { useReportLoadFailure } from '../../../common/use-report-load-failure.ts'
import { lazyComponent } from '../../../kit/lazy-component.tsx'
import { useMediaQuery } from '../../../lib/hooks.ts'
import { useLocation, useNavigation } from '../../../lib/navigation/navigation.tsx'
import { WIDE } from '../listing/view-preferences.ts'
import { otherPaneIn, type Side } from './two-panes.ts'

const load = () => import('./panes.tsx')
export const Panes = lazyComponent(async () => (await load()).Panes)

export type TwoPanes = ReturnType<typeof useTwoPanes>

/** The panes of the page. */
export function useTwoPanes() {
  const navigation = useNavigation()
  const inAddress = otherPaneIn(useLocation().search)
  const reportLoadFailure = useReportLoadFailure()
  const wide = useMediaQuery(WIDE)
  const [last, setLast] = useState<Side>()
  if (inAddress !== undefined && inAddress.side !== last) setLast(inAddress.side)
  const side = last ?? 'end'
  const toggle = (): void =>
    void Panes.preload()
      .then(load)
      .then((panes) => panes.toggle(navigation, side), reportLoadFailure)
  return {
    /** The folder of the other pane, if there is one. */
    other: wide ? inAddress?.path : undefined,
    /** Of the other pane, now or when there is one. */
    side,
    setSide: setLast,
    /** Once there were two panes, the one that is left stays where it is. */
    used: last !== undefined,
    /** Screens without the room have one. */
    toggle: wide ? toggle : undefined,
    /** Without the code of the panes, there is one. */
    fail(): void {
      const { pathname, state } = navigation.history.location
      setLast(undefined)
      navigation.history.replace(pathname, state)
    },
  }
}
