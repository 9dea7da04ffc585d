import type { Resource } from '../../../../src/domain/files/resource.ts'
import { isSharedPath } from '../../../../src/domain/shares/shared-folder.ts'
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { wayTo } from '../../common/where.ts'
import { Fact, Facts } from '../../files/actions/prompts/details/facts.tsx'
import { PictureFacts } from '../../files/actions/prompts/details/picture-facts.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { useDetails, useFileSource, useFileUrls } from '../file/file-source.ts'
import { isVectorImage, needsServerPicture, viewKindOf } from '../file/view-kind.ts'
import { Histogram } from './histogram.tsx'
import styles from './details-panel.module.css'

interface DetailsPanelProps {
  /** False if the picture could not be decoded. */
  readonly isShown: boolean
  readonly file: Resource
  readonly path: VirtualPath
  readonly onClose: () => void
}

/** Panel with size, dates and camera data of the file. */
export function DetailsPanel({ file, path, isShown, onClose }: DetailsPanelProps) {
  const t = useText()
  const format = useFormat()
  const urls = useFileUrls()
  const rootName = useFileSource()?.rootName
  const isPicture = viewKindOf(file) === 'image'
  const details = useDetails(path, file).data
  const folder = parentOf(path)
  const location = isSharedPath(folder)
    ? wayTo(t, folder)
    : segmentsOf(folder).join(' / ') || (rootName ?? t('files.root'))
  return (
    <aside className={styles['details']} aria-label={t('details.title')}>
      <header className={styles['head']}>
        <h2>{t('details.title')}</h2>
        <IconButton icon="x" size="small" label={t('kit.close')} onClick={onClose} />
      </header>
      <p className={styles['location']}>
        <bdi>{location}</bdi>
      </p>
      {isShown && isPicture && needsServerPicture(file.name) && (
        <p className={styles['location']}>{t('viewer.serverPicture')}</p>
      )}
      <Facts>
        <Fact label={t('files.name')}>
          <bdi>{nameOf(path)}</bdi>
        </Fact>
        <Fact label={t('files.size')}>
          <bdi>{format.bytes(file.size)}</bdi>
        </Fact>
        <Fact label={t('files.modified')}>
          <bdi>{format.dateTime(new Date(file.modified))}</bdi>
        </Fact>
        {isPicture && <PictureFacts address={urls.raw(path)} file={file} resolution={details?.resolution} />}
      </Facts>
      {isPicture && (
        <Histogram address={isVectorImage(file.name) ? urls.raw(path) : urls.thumbnail(path, file.modified)} />
      )}
    </aside>
  )
}
