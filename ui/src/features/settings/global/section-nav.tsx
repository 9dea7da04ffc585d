import { useEffect } from 'react'
import { useRouterState } from '@tanstack/react-router'
import { useText } from '../../../i18n/use-text.tsx'
import { AppLink } from '../../../kit/app-link.tsx'
import styles from './section-nav.module.css'

export interface SectionLink {
  readonly id: string
  readonly title: string
}

/** Links to the sections of the page, each with an address of its own. */
export function SectionNav({
  sections,
  ready,
}: {
  readonly sections: readonly SectionLink[]
  readonly ready: boolean
}) {
  const t = useText()
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => {
    if (!ready || hash === '') return
    const section = document.getElementById(hash)
    section?.scrollIntoView({ block: 'start' })
    const heading = section?.querySelector('h2')
    if (!heading) return
    // Who comes by keyboard goes on from there.
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [hash, ready])
  return (
    <nav className={styles['nav']} aria-label={t('global.sections')}>
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <AppLink to={`/settings/global#${id}`} replace aria-current={id === hash ? 'true' : undefined}>
              {title}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
