import { createContext, type ReactNode, useContext, useRef } from 'react'
import { useText } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { useShortcuts } from '../../../kit/keyboard/shortcuts.tsx'
import { LazyBoundary, lazyComponent } from '../../../kit/lazy-component.tsx'
import { tabStopIn } from '../grid/use-grid-handlers.ts'
import { type Shown, useDetailsPane } from '../listing/view-preferences.ts'
import type { TwoPanes } from './use-two-panes.ts'
import styles from './details-pane.module.css'

const DetailsPane = lazyComponent(async () => (await import('./details-pane.tsx')).DetailsPane)

interface Views {
  readonly details?: Shown | undefined
  readonly panes?: TwoPanes
}

const ViewsContext = createContext<Views>({})

interface BesideDetailsProps {
  readonly panes: TwoPanes
  readonly children: ReactNode
}

/** The list, and at its end the details if the user wants them. Stays while folders change, so that nothing moves. */
export function BesideDetails({ panes, children }: BesideDetailsProps) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const details = useDetailsPane(panes.other !== undefined)
  const label = t('files.detailsPane')
  useShortcuts([
    { keys: 'Ctrl+I', label, group: 'act', run: details?.toggle },
    { keys: 'F8', label: t('files.twoPanes'), group: 'act', run: panes.toggle },
  ])
  const close = (): void => {
    details?.toggle()
    const next = tabStopIn(box.current) ?? box.current?.querySelector('button')
    next?.focus({ preventScroll: true })
  }
  return (
    <ViewsContext value={{ details, panes }}>
      <div ref={box} className={styles['page']}>
        {children}
        {details?.shown === true && (
          <aside className={styles['pane']} aria-label={label}>
            <LazyBoundary>
              <DetailsPane onClose={close} />
            </LazyBoundary>
          </aside>
        )}
      </div>
    </ViewsContext>
  )
}

/** Open and close the other pane and the details. Screens without the room have no buttons. */
export function PaneButtons() {
  const t = useText()
  const { details, panes } = useContext(ViewsContext)
  return (
    <>
      {panes?.toggle && (
        <IconButton
          icon="split"
          label={t('files.twoPanes')}
          pressed={panes.other !== undefined}
          aria-keyshortcuts="F8"
          onClick={panes.toggle}
        />
      )}
      {details && (
        <IconButton
          icon="panel"
          flipIcon
          label={t('files.detailsPane')}
          pressed={details.shown}
          aria-keyshortcuts="Control+I"
          onClick={details.toggle}
        />
      )}
    </>
  )
}
