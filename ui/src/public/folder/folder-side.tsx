import { useMemo } from 'react'
import type { Listing, Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, nameOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { type Translate, useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import { DownloadsLeft, ExpiryFact, FileHero, ShareFacts, ShareQr } from '../share-parts.tsx'
import styles from './folder-page.module.css'
import type { OpenShare } from '../open-share.ts'
import type { VisitorActions } from '../use-visitor-actions.ts'

interface FolderSideProps {
  /** The heading. */
  readonly Name: 'h1' | 'h2'
  readonly share: OpenShare
  readonly folder: VirtualPath
  readonly listing: Listing
  /** The selected entries. */
  readonly selected: readonly Resource[]
  readonly actions: VisitorActions
}

/** Next to the list: the folder's summary, a button to download all of it, and a preview of the selected file. */
export function FolderSide({ Name, share, folder, listing, selected, actions }: FolderSideProps) {
  const t = useText()
  const format = useFormat()
  const narrow = useMediaQuery(NARROW)
  const bytes = useMemo(() => listing.items.reduce((sum, { isDir, size }) => sum + (isDir ? 0 : size), 0), [listing])
  const [only] = selected
  const { numDirs, numFiles } = listing
  const name = nameOf(folder) || share.name
  return (
    <aside className={styles['side']} aria-label={t('public.about')}>
      <div className={styles['about']}>
        <Name title={name}>
          <bdi>{name}</bdi>
        </Name>
        <ShareFacts>
          <span>{countText(t, numDirs, numFiles)}</span>
          {numFiles > 0 && (
            <span>
              <bdi>{format.bytes(bytes)}</bdi>
            </span>
          )}
          <DownloadsLeft count={share.downloadsLeft} />
        </ShareFacts>
        <p className="small subtle">
          <ExpiryFact expire={listing.expire} />
        </p>
      </div>
      {actions.mayDownload && numDirs + numFiles > 0 && (
        <div className={styles['all']}>
          <Button variant="primary" size="large" icon="download" className="grow" onClick={() => actions.download([])}>
            {t('public.downloadAll')}
          </Button>
          <IconButton icon="archive" label={t('public.chooseFormat')} onClick={() => actions.downloadAs([])} />
        </div>
      )}
      {!narrow && only !== undefined && selected.length === 1 && !only.isDir && (
        <figure key={only.name} className={styles['preview']}>
          <FileHero share={share} file={only} path={childOf(folder, only.name)} className={styles['hero']} />
          <figcaption title={only.name}>
            <FileName name={only.name} />
          </figcaption>
        </figure>
      )}
      {!narrow && (
        <div className={styles['qr']}>
          <ShareQr
            text={share.linkTo(`${folder === '/' ? '' : folder}/`)}
            label={t('public.qrPage')}
            hint={t('public.scanPage')}
            size={100}
          />
        </div>
      )}
    </aside>
  )
}

function countText(t: Translate, folders: number, files: number): string {
  if (folders === 0) return t('files.countFiles', { files })
  return files === 0 ? t('files.countFolders', { folders }) : t('files.countBoth', { folders, files })
}
