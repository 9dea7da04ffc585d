import { createContext, type ReactNode, useContext, useRef } from 'react'
import { useText } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { useShortcuts } from '../../../kit/keyboard/shortcuts.tsx'
import { LazyBoundary, lazyComponent } from '../../../kit/lazy-component.tsx'
import { tabStopIn } from '../grid/use-grid-handlers.ts'
import { type Shown, useDetailsPane } from '../listing/view-preferences.ts'
import styles from './details-pane.module.css'

const DetailsPane = lazyComponent(async () => (await import('./details-pane.tsx')).DetailsPane)

const PaneContext = createContext<Shown | undefined>(undefined)

/** The list, and at its end the details if the user wants them. Stays while folders change, so that nothing moves. */
export function BesideDetails({ children }: { readonly children: ReactNode }) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const pane = useDetailsPane()
  const label = t('files.detailsPane')
  useShortcuts(pane ? [{ keys: 'Ctrl+I', label, group: 'act', run: pane.toggle }] : [])
  const close = (): void => {
    pane?.toggle()
    const next = tabStopIn(box.current) ?? box.current?.querySelector('button')
    next?.focus({ preventScroll: true })
  }
  return (
    <PaneContext value={pane}>
      <div ref={box} className={styles['page']}>
        {children}
        {pane?.shown === true && (
          <aside className={styles['pane']} aria-label={label}>
            <LazyBoundary>
              <DetailsPane onClose={close} />
            </LazyBoundary>
          </aside>
        )}
      </div>
    </PaneContext>
  )
}

/** Opens and closes the details. Screens without the room have no button. */
export function PaneButton() {
  const t = useText()
  const pane = useContext(PaneContext)
  if (pane === undefined) return null
  return (
    <IconButton
      icon="panel"
      flipIcon
      label={t('files.detailsPane')}
      pressed={pane.shown}
      aria-keyshortcuts="Control+I"
      onClick={pane.toggle}
    />
  )
}
