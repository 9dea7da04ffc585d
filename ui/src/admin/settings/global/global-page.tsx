import { usePageTitle } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Page } from '../../../kit/page/page.tsx'
import type { GlobalSection } from '../../../lib/settings-places.ts'
import { BackupSection } from './backup-section.tsx'
import { CacheSection } from './cache-section.tsx'
import { FormSection } from './form-section.tsx'
import styles from './global-page.module.css'
import { SECTION_TITLES, SectionNav } from './section-nav.tsx'
import { ServerSection } from './server-section.tsx'
import { SignInSection } from './sign-in-section.tsx'

interface GlobalPageProps {
  readonly sections: readonly GlobalSection[]
  readonly section: GlobalSection
}

/** Everything about the installation that is not about one user. */
export function GlobalPage({ sections, section }: GlobalPageProps) {
  const t = useText()
  usePageTitle(t(SECTION_TITLES[section]))
  return (
    <Page wide title={t('global.title')} hint={t('global.hint')}>
      <div className={styles['columns']}>
        <SectionNav sections={sections} current={section} />
        <div className={styles['section']}>
          <Section name={section} />
        </div>
      </div>
    </Page>
  )
}

function Section({ name }: { readonly name: GlobalSection }) {
  switch (name) {
    case 'sign-in':
      return <SignInSection />
    case 'server':
      return <ServerSection />
    case 'backup':
      return <BackupSection />
    case 'cache':
      return <CacheSection />
    default:
      // Another section begins with nothing edited.
      return <FormSection key={name} name={name} />
  }
}
