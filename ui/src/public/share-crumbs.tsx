import { segmentsOf, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { useText } from '../i18n/use-text.tsx'
import { AppLink } from '../kit/button/button.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { MenuButton } from '../kit/menu/menu-button.tsx'
import base from '../kit/page/crumbs.module.css'
import { classNames } from '../lib/class-names.ts'
import type { OpenShare } from './open-share.ts'
import { useNavigateTo } from '../lib/navigation/navigation.tsx'
import styles from './share-crumbs.module.css'

/** With more folders those in the middle move into a menu. */
const MAX_SHOWN = 4

interface ShareCrumbsProps {
  readonly share: OpenShare
  /** Path of the folder or file shown. */
  readonly path: VirtualPath
}

/** Breadcrumbs from the root of the share: visitors see nothing above it. */
export function ShareCrumbs({ share, path }: ShareCrumbsProps) {
  const t = useText()
  const navigateTo = useNavigateTo()
  const names = segmentsOf(path)
  const crumbs = names.map((name, index) => {
    const last = index === names.length - 1
    return { name, last, to: share.appPathOf(`/${names.slice(0, index + 1).join('/')}${last ? '' : '/'}`) }
  })
  const hidden = crumbs.length > MAX_SHOWN ? crumbs.slice(0, crumbs.length - MAX_SHOWN + 1) : []
  return (
    <nav className={classNames(base['crumbs'], base['arrows'], styles['crumbs'])} aria-label={t('shell.breadcrumb')}>
      <ol>
        <li>
          <AppLink
            to={share.appPathOf('/')}
            className={base['crumb']}
            title={share.name}
            aria-current={names.length === 0 ? 'page' : undefined}
          >
            <Icon name="home" size={16} />
            <bdi className="clip">{share.name}</bdi>
          </AppLink>
        </li>
        {hidden.length > 0 && (
          <li>
            <MenuButton
              label={t('shell.hiddenFolders', { count: hidden.length })}
              size="small"
              align="start"
              entries={() => hidden.map(({ name, to }) => ({ label: name, icon: 'folder', run: () => navigateTo(to) }))}
            />
          </li>
        )}
        {crumbs.slice(hidden.length).map(({ name, last, to }) => (
          <li key={to}>
            <AppLink to={to} className={base['crumb']} title={name} aria-current={last ? 'page' : undefined}>
              <bdi className="clip">{name}</bdi>
            </AppLink>
          </li>
        ))}
      </ol>
    </nav>
  )
}
