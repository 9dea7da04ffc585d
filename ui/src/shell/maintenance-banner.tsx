import { useConfig } from '../api/page-config.tsx'
import { useText } from '../i18n/use-text.tsx'
import { AppLink, buttonClass } from '../kit/button/button.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import styles from './banner.module.css'

/** Reminds administrators that nobody else is let in. */
export function MaintenanceBanner() {
  const t = useText()
  const { Maintenance } = useConfig()
  if (Maintenance === undefined) return null
  return (
    <div className={styles['banner']} role="status">
      <Icon name="alert" />
      <b className={styles['text']}>{t('maintenance.adminsOnly')}</b>
      <AppLink to="/settings/global/maintenance" className={buttonClass({ variant: 'ghost', size: 'small' })}>
        {t('shell.settings')}
      </AppLink>
    </div>
  )
}
