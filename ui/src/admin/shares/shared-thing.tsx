import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/app-link.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { filesHref, parentFolder } from '../../lib/app-path.ts'
import { TargetBadge } from '../../files/share/share-badges.tsx'
import { shareGlyph, shareName } from '../../files/share/share-name.ts'
import { classNames } from '../../lib/class-names.ts'
import styles from './shares-page.module.css'

/**
 * What a link leads to, and where it is. Only one's own things are links: the path is that of the owner, and names
 * something else, or nothing, for everybody else.
 */
export function SharedThing({ share }: { readonly share: ShareDetails }) {
  const t = useText()
  const me = useUser()?.id
  const { path, target } = share
  const name = shareName(share) || t('files.root')
  const reachable = share.userID === me && target !== 'missing'
  return (
    <span className={styles['thing']}>
      <FileGlyph type={target === 'missing' ? 'broken' : shareGlyph(share)} size={24} />
      <span className={styles['names']}>
        {reachable ? (
          <AppLink className={classNames('touch', styles['name'])} to={filesHref(path)} title={path}>
            <FileName name={name} />
          </AppLink>
        ) : (
          <span className={styles['name']} title={path}>
            <FileName name={name} />
          </span>
        )}
        <span className={styles['where']}>
          <bdi dir="ltr">{parentFolder(path)}</bdi>
        </span>
        <TargetBadge target={target} />
      </span>
    </span>
  )
}
