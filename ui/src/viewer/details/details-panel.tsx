import { useQuery } from '@tanstack/react-query'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { type Translate, useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import type { Format } from '../../lib/format.ts'
import { fetchHead, useDetails, useFileSource, useFileUrls } from '../file/file-source.ts'
import { isVectorImage, needsServerPicture, viewKindOf } from '../file/view-kind.ts'
import { Histogram } from './histogram.tsx'
import type { PhotoFacts } from './photo-facts.ts'
import styles from './details-panel.module.css'

interface DetailsPanelProps {
  /** False if the picture could not be decoded. */
  readonly isShown: boolean
  readonly file: Resource
  readonly path: VirtualPath
  readonly onClose: () => void
}

type Fact = readonly [label: string, value: string]

/** Panel with size, dates and camera data of the file. */
export function DetailsPanel({ file, path, isShown, onClose }: DetailsPanelProps) {
  const t = useText()
  const format = useFormat()
  const urls = useFileUrls()
  const rootName = useFileSource()?.rootName
  const isPicture = viewKindOf(file) === 'image'
  const details = useDetails(path, file).data
  const photo = usePhotoFacts(path, file, isPicture)
  const folder = parentOf(path)
  const location = segmentsOf(folder).join(' / ') || (rootName ?? t('files.root'))
  const facts: Fact[] = [
    [t('files.name'), nameOf(path)],
    ...takenFacts(t, format, photo),
    [t('files.size'), format.bytes(file.size)],
    ...dimensionFacts(t, format, details?.resolution),
    ...cameraFacts(t, format, photo),
    [t('files.modified'), format.dateTime(new Date(file.modified))],
  ]
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
      <dl className={styles['facts']}>
        {facts.map(([label, value]) => (
          <div key={label} className={styles['fact']}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {isPicture && (
        <Histogram address={isVectorImage(file.name) ? urls.raw(path) : urls.thumbnail(path, file.modified)} />
      )}
    </aside>
  )
}

function takenFacts(t: Translate, format: Format, { taken }: PhotoFacts): Fact[] {
  return taken === undefined ? [] : [[t('viewer.factTaken'), format.dateTime(taken)]]
}

function dimensionFacts(t: Translate, format: Format, dimensions: Resource['resolution']): Fact[] {
  if (dimensions === undefined) return []
  const { width, height } = dimensions
  const megapixels = Math.round((width * height) / 100_000) / 10
  const parts = [`${format.number(width)} × ${format.number(height)}`]
  if (megapixels >= 1) parts.push(t('viewer.megapixels', { count: format.number(megapixels) }))
  return [[t('viewer.factPicture'), parts.join(' · ')]]
}

function cameraFacts(t: Translate, format: Format, photo: PhotoFacts): Fact[] {
  const { camera, lens, exposure, aperture, sensitivity, focalLength, location } = photo
  const exposures = [
    exposure === undefined ? '' : t('viewer.seconds', { time: exposureText(exposure, format.number) }),
    aperture === undefined ? '' : `ƒ/${format.number(aperture)}`,
    sensitivity === undefined ? '' : `ISO ${sensitivity}`,
  ].filter(Boolean)
  const facts: Fact[] = []
  const body = [
    camera ?? '',
    focalLength === undefined ? '' : t('viewer.millimetres', { length: format.number(Math.round(focalLength)) }),
  ].filter(Boolean)
  if (body.length > 0) facts.push([t('viewer.factCamera'), body.join(' · ')])
  if (lens !== undefined) facts.push([t('viewer.factLens'), lens])
  if (exposures.length > 0) facts.push([t('viewer.factExposure'), exposures.join(' · ')])
  if (location !== undefined) {
    facts.push([t('viewer.factLocation'), `${location.latitude.toFixed(5)}, ${location.longitude.toFixed(5)}`])
  }
  return facts
}

/** "1/125" for short exposures, seconds for longer ones. */
export function exposureText(seconds: number, format: (value: number) => string): string {
  if (seconds <= 0) return format(0)
  return seconds < 0.4 ? `1/${Math.round(1 / seconds)}` : format(Math.round(seconds * 10) / 10)
}

/** Camera metadata of a photo. Only the start of the file is fetched. */
function usePhotoFacts(path: VirtualPath, file: Resource, enabled: boolean): PhotoFacts {
  const client = useClient()
  const urls = useFileUrls()
  const { data } = useQuery({
    queryKey: ['photo', urls.raw(path), file.modified, file.size],
    enabled,
    staleTime: 'static',
    retry: false,
    queryFn: async ({ signal }) => {
      const { HEAD_BYTES, photoFacts } = await import('./photo-facts.ts')
      return await photoFacts(await fetchHead(client, urls.raw(path), HEAD_BYTES, signal))
    },
  })
  return data ?? {}
}
