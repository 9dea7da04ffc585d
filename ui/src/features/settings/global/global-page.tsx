import { useConfig } from '../../../api/config.tsx'
import { usePageTitle } from '../../../api/use-page-title.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Page } from '../../../kit/page.tsx'
import { Spinner } from '../../../kit/spinner.tsx'
import { UnsavedChanges } from '../../../work/unsaved/unsaved-changes.tsx'
import { AuditSection } from './audit/audit-section.tsx'
import { BackupSection } from './backup/backup-section.tsx'
import { BrandingSection } from './branding/branding-section.tsx'
import { CacheSection } from './cache-section.tsx'
import { fieldsOf } from './form-sections.ts'
import { HooksSection } from './hooks/hooks-section.tsx'
import { NewUsersSection } from './new-users-section.tsx'
import { RulesPart } from './rules-part.tsx'
import { SectionNav } from './section-nav.tsx'
import { ServerSection } from './server/server-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { SignInSection } from './sign-in/sign-in-section.tsx'
import { useSettingsForm, type SettingsForm } from './use-settings-form.ts'

/** Everything about the installation that is not about one user. */
export function GlobalPage() {
  const t = useText()
  const form = useSettingsForm()
  const { EnableExec } = useConfig()
  usePageTitle(t('global.title'))
  const ready = form.value !== undefined
  return (
    <Page title={t('global.title')} hint={t('global.hint')}>
      <SectionNav sections={useSections(EnableExec)} ready={ready} />
      {!ready && (
        <div role="status">
          <Spinner size={24} />
          <span className="visually-hidden">{t('global.loading')}</span>
        </div>
      )}
      {ready && (
        <>
          <LiveSections form={form} />
          {EnableExec && <HooksSection form={form} />}
          <SettingsSection id="sessions" title={t('global.sessions')} form={form} fields={fieldsOf('sessions', true)} />
          <SignInSection />
          <ServerSection />
          <AuditSection />
          <BackupSection />
          <CacheSection />
        </>
      )}
      <UnsavedChanges count={form.changed.length} busy={form.busy} onSave={form.save} onDiscard={form.discard} />
    </Page>
  )
}

function LiveSections({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  return (
    <>
      <SettingsSection id="accounts" title={t('global.accounts')} form={form} fields={fieldsOf('accounts', true)} />
      <NewUsersSection form={form} />
      <BrandingSection form={form} />
      <SettingsSection
        id="uploads"
        title={t('tus.title')}
        hint={t('tus.hint')}
        form={form}
        fields={fieldsOf('uploads', true)}
      />
      <RulesPart form={form} />
      <SettingsSection id="files" title={t('global.files')} form={form} fields={fieldsOf('files', true)} />
    </>
  )
}

function useSections(withCommands: boolean) {
  const t = useText()
  return [
    { id: 'accounts', title: t('global.accounts') },
    { id: 'new-users', title: t('global.newUsers') },
    { id: 'branding', title: t('branding.title') },
    { id: 'uploads', title: t('tus.title') },
    { id: 'rules', title: t('rules.title') },
    { id: 'files', title: t('global.files') },
    ...(withCommands ? [{ id: 'hooks', title: t('hooks.title') }] : []),
    { id: 'sessions', title: t('global.sessions') },
    { id: 'sign-in', title: t('signin.title') },
    { id: 'server', title: t('server.title') },
    { id: 'audit', title: t('audit.title') },
    { id: 'backup', title: t('backup.title') },
    { id: 'cache', title: t('global.cache') },
  ]
}
