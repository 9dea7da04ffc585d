import { ApiError } from '../../../api/api-error.ts'
import { useConfig, usePageTitle } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { type GlobalSection, globalSections } from '../../../lib/navigation/settings-paths.ts'
import { BackupSection } from './backup-section.tsx'
import { CacheSection } from './cache-section.tsx'
import { FormSection } from './form-section.tsx'
import styles from './global-page.module.css'
import { MaintenanceSection } from './maintenance-section.tsx'
import { SECTION_TITLES, SectionNav } from './section-nav.tsx'
import { ServerSection } from './server-section.tsx'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'

interface GlobalPageProps {
  /** The section that the address names. */
  readonly param: string
}

/** Settings of the whole installation, one section at a time. */
export function GlobalPage({ param }: GlobalPageProps) {
  const sections = globalSections(useConfig().EnableExec)
  const section = sections.find((each) => each === param)
  if (section === undefined) throw new ApiError({ status: 404, message: '' })
  return <SectionPage sections={sections} section={section} />
}

interface SectionPageProps {
  readonly sections: readonly GlobalSection[]
  readonly section: GlobalSection
}

function SectionPage({ sections, section }: SectionPageProps) {
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
    case 'webhooks':
      return <WebhooksSection />
    case 'server':
      return <ServerSection />
    case 'maintenance':
      return <MaintenanceSection />
    case 'backup':
      return <BackupSection />
    case 'cache':
      return <CacheSection />
    default:
      // Each section starts with a fresh form.
      return <FormSection key={name} name={name} />
  }
}
