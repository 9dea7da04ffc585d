import { nameOf, parentOf, segmentsOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText, type Translate } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import type { Format } from '../../lib/format.ts'
import { isDrawing, viewKindOf } from '../model/view-kind.ts'
import { useDetails } from '../use-details.ts'
import { useFileSource } from '../file-source.ts'
import { useFileUrls } from '../use-file-urls.ts'
import { Histogram } from './histogram.tsx'
import { exposureText } from './exposure-text.ts'
import type { PhotoFacts } from './photo-facts.ts'
import { usePhotoFacts } from './use-photo-facts.ts'
import styles from './details-panel.module.css'

interface DetailsPanelProps {
  readonly file: Resource
  readonly path: VirtualPath
  readonly onClose: () => void
}

type Fact = readonly [label: string, value: string]

/** What is known about the file shown, beside it. */
export function DetailsPanel({ file, path, onClose }: DetailsPanelProps) {
  const t = useText()
  const format = useFormat()
  const urls = useFileUrls()
  const rootName = useFileSource()?.rootName
  const isPicture = viewKindOf(file) === 'image'
  const details = useDetails(path, file).data
  const photo = usePhotoFacts(path, file, isPicture)
  const folder = parentOf(path)
  const place = segmentsOf(folder).join(' / ') || (rootName ?? t('files.root'))
  const facts: Fact[] = [
    [t('files.name'), nameOf(path)],
    ...takenFacts(t, format, photo),
    [t('files.size'), format.bytes(file.size)],
    ...measureFacts(t, format, details?.resolution),
    ...cameraFacts(t, format, photo),
    [t('files.modified'), format.dateTime(new Date(file.modified))],
  ]
  return (
    <aside className={styles['details']} aria-label={t('details.title')}>
      <header className={styles['head']}>
        <h2>{t('details.title')}</h2>
        <IconButton icon="x" size="small" label={t('kit.close')} onClick={onClose} />
      </header>
      <p className={styles['place']}>
        <bdi>{place}</bdi>
      </p>
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
      {isPicture && <Histogram address={isDrawing(file.name) ? urls.raw(path) : urls.thumbnail(path, file.modified)} />}
    </aside>
  )
}

function takenFacts(t: Translate, format: Format, { taken }: PhotoFacts): Fact[] {
  return taken === undefined ? [] : [[t('viewer.factTaken'), format.dateTime(taken)]]
}

function measureFacts(t: Translate, format: Format, measures: Resource['resolution']): Fact[] {
  if (measures === undefined) return []
  const { width, height } = measures
  const megapixels = Math.round((width * height) / 100_000) / 10
  const parts = [`${format.number(width)} × ${format.number(height)}`]
  if (megapixels >= 1) parts.push(t('viewer.megapixels', { count: format.number(megapixels) }))
  return [[t('viewer.factPicture'), parts.join(' · ')]]
}

function cameraFacts(t: Translate, format: Format, photo: PhotoFacts): Fact[] {
  const { camera, lens, exposure, aperture, sensitivity, focalLength, place } = photo
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
  if (place !== undefined) {
    facts.push([t('viewer.factPlace'), `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`])
  }
  return facts
}
