import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { AppLink } from '../../../kit/button/button.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import type { GlobalSection } from '../../../lib/navigation/settings-paths.ts'
import { useMediaQuery } from '../../../lib/hooks.ts'
import { useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import styles from './section-nav.module.css'

export const SECTION_TITLES: Readonly<Record<GlobalSection, MessageId>> = {
  accounts: 'global.accounts',
  'new-users': 'global.newUsers',
  branding: 'branding.title',
  uploads: 'tus.title',
  rules: 'rules.title',
  files: 'global.files',
  hooks: 'hooks.title',
  webhooks: 'webhooks.title',
  sessions: 'global.sessions',
  server: 'server.title',
  maintenance: 'global.maintenance',
  backup: 'backup.title',
  cache: 'global.cache',
}

interface SectionNavProps {
  readonly sections: readonly GlobalSection[]
  readonly current: GlobalSection
}

/** Navigation between sections: a list beside the page, or a select above it on narrow screens. */
export function SectionNav({ sections, current }: SectionNavProps) {
  const t = useText()
  const navigateTo = useNavigateTo()
  const wide = useMediaQuery('(min-width: 1024px)')
  if (!wide) {
    return (
      <Select
        label={t('global.sections')}
        options={sections.map((value) => ({ value, label: t(SECTION_TITLES[value]) }))}
        value={current}
        onChange={(section) => navigateTo(appPathOf(section))}
      />
    )
  }
  return (
    <nav className={styles['nav']} aria-label={t('global.sections')}>
      <ul>
        {sections.map((section) => (
          <li key={section}>
            <AppLink to={appPathOf(section)} aria-current={section === current ? 'page' : undefined}>
              {t(SECTION_TITLES[section])}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function appPathOf(section: GlobalSection): string {
  return `/settings/global/${section}`
}
