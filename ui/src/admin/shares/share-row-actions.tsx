import { givesFiles, receivesFiles } from '../../../../src/domain/shares/share-terms.ts'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { classNames } from '../../lib/class-names.ts'
import { shareName, useShareLinks } from '../../files/share/share-links.ts'
import type { ShareActions } from '../../files/share/use-share-actions.ts'
import styles from './shares-page.module.css'

interface ShareRowActionsProps {
  readonly share: ShareDetails
  readonly actions: ShareActions
}

/** The most common actions for a link; its menu has the rest. */
export function ShareRowActions({ share, actions }: ShareRowActionsProps) {
  const t = useText()
  const links = useShareLinks()
  const name = shareName(share) || t('files.root')
  const { sendOn } = actions
  const entries = (): MenuEntry[] => [
    { kind: 'heading', label: name },
    { label: t('shares.open'), icon: 'external', run: () => void window.open(links.page(share), '_blank', 'noopener') },
    ...(givesFiles(share.terms)
      ? [
          {
            label: t(share.hasPassword ? 'shares.noDirect' : 'shares.copyDirect'),
            icon: 'download',
            disabled: share.hasPassword,
            run: () => void actions.copyDirect(share),
          } as const,
        ]
      : []),
    ...(receivesFiles(share.terms)
      ? [
          {
            label: t('shares.received', { count: share.receivedFiles }),
            icon: 'upload',
            run: () => actions.showArrivals(share),
          } as const,
        ]
      : []),
    { label: t('shares.showQr'), icon: 'qr', run: () => actions.showQr(share) },
    ...(sendOn ? [{ label: t('shares.sendOn'), icon: 'share', run: () => sendOn(share) } as const] : []),
    { label: t('shares.edit'), icon: 'rename', run: () => actions.edit(share) },
    ...(share.target === 'changed'
      ? [{ label: t('shares.rebind'), icon: 'link', run: () => void actions.rebind(share) } as const]
      : []),
    { kind: 'separator' },
    { label: t('shares.delete', { count: 1 }), icon: 'trash', danger: true, run: () => void actions.remove([share]) },
  ]
  return (
    <>
      <span className={classNames('only-wide', styles['buttons'])}>
        <IconButton
          icon="qr"
          size="small"
          label={t('shares.qrTitle', { name })}
          onClick={() => actions.showQr(share)}
        />
        <IconButton
          icon="trash"
          size="small"
          label={t('shares.deleteOne', { name })}
          onClick={() => void actions.remove([share])}
        />
      </span>
      <IconButton
        icon="copy"
        size="small"
        label={t('shares.copyOne', { name })}
        onClick={() => void actions.copyLink(share)}
      />
      <MenuButton label={t('shares.moreFor', { name })} size="small" entries={entries} />
    </>
  )
}
