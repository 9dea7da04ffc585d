import type { Resource } from '../../../src/domain/files/resource.ts'
import { ROOT, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useText } from '../i18n/use-text.tsx'
import { AppLink, Button, buttonClass, IconButton } from '../kit/button/button.tsx'
import { FileName } from '../kit/text/names.tsx'
import { FileGlyph, Icon } from '../kit/icon/icon.tsx'
import { kindOfName } from '../lib/file-kind.ts'
import { startDownload } from '../lib/start-download.ts'
import styles from './card.module.css'
import { DownloadsLeft, ExpiryFact, FileHero, ModifiedFact, ShareFacts, ShareQr } from './share-parts.tsx'
import { type OpenShare, useCopyLink } from './open-share.ts'
import { ShareCrumbs } from './share-crumbs.tsx'

interface FileCardProps {
  /** The heading. */
  readonly Name: 'h1' | 'h2'
  readonly share: OpenShare
  readonly file: Resource
  /** "/" for a share that is this file. */
  readonly path: VirtualPath
}

/** A shared file: preview, facts and download. */
export function FileCard({ Name, share, file, path }: FileCardProps) {
  const t = useText()
  const format = useFormat()
  const copyLink = useCopyLink(share)
  const address = share.urls.download(path)
  // The download address of a share with a password contains its token, so the QR code shows the page instead. So it does where
  // downloads are limited, because many scanners fetch what they have read.
  const open = share.token === undefined && share.mayDownload && share.downloadsLeft === null
  const download = () => startDownload(address, file.name)
  const qr = open ? new URL(address, location.href).href : share.linkTo(path)
  return (
    <article className={styles['file']} aria-label={file.name}>
      {path !== ROOT && (
        <div className={styles['path']}>
          <ShareCrumbs share={share} path={path} />
        </div>
      )}
      <FileHero share={share} file={file} path={path} className={styles['hero']} />
      <div className={styles['info']}>
        <div className={styles['title']}>
          <FileGlyph type={kindOfName(file.name) ?? 'other'} size={32} />
          <Name title={file.name}>
            <FileName name={file.name} />
          </Name>
        </div>
        <ShareFacts>
          <span>
            <bdi>{format.bytes(file.size)}</bdi>
          </span>
          <ModifiedFact modified={file.modified} />
          <ExpiryFact expire={file.expire} />
          <DownloadsLeft count={share.downloadsLeft} />
        </ShareFacts>
        <div className={styles['actions']}>
          {share.downloadsLeft !== 0 && (
            <>
              {share.mayDownload && (
                <Button variant="primary" size="large" icon="download" onClick={download}>
                  {t('public.download')}
                </Button>
              )}
              <AppLink to={`${share.appPathOf(path)}?view=true`} className={buttonClass({ size: 'large' })}>
                <Icon name="play" size={16} />
                {t('public.open')}
              </AppLink>
            </>
          )}
          <IconButton icon="link" label={t('public.copyLink')} onClick={() => copyLink(path)} />
        </div>
      </div>
      <div className={styles['qr']}>
        <ShareQr
          text={qr}
          label={t(open ? 'public.qrDownload' : 'public.qrPage')}
          hint={t(open ? 'public.scanDownload' : 'public.scanPage')}
          size={200}
        />
      </div>
    </article>
  )
}
