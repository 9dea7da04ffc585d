import { useQuery } from '@tanstack/react-query'
import type { Resource } from '../../../../../../src/domain/files/resource.ts'
import { fetchHead } from '../../../../api/fetch-head.ts'
import { useClient } from '../../../../api/client.ts'
import { useFormat } from '../../../../i18n/use-format.ts'
import { type Translate, useText } from '../../../../i18n/use-text.tsx'
import type { Format } from '../../../../lib/format.ts'
import { Fact } from './facts.tsx'
import type { PhotoFacts } from './photo-facts.ts'

type TextFact = readonly [label: string, value: string]

interface PictureFactsProps {
  /** The URL of the file. */
  readonly address: string
  /** They tell whether the file has changed. */
  readonly file: Pick<Resource, 'modified' | 'size'>
  readonly resolution: Resource['resolution']
}

/** The dimensions of a picture, and what the camera wrote into it. */
export function PictureFacts({ address, file, resolution }: PictureFactsProps) {
  const t = useText()
  const format = useFormat()
  const photo = usePhotoFacts(address, file)
  const facts = [
    ...dimensionFacts(t, format, resolution),
    ...takenFacts(t, format, photo),
    ...cameraFacts(t, format, photo),
  ]
  return facts.map(([label, value]) => (
    <Fact key={label} label={label}>
      <bdi>{value}</bdi>
    </Fact>
  ))
}

function dimensionFacts(t: Translate, format: Format, dimensions: Resource['resolution']): TextFact[] {
  if (dimensions === undefined) return []
  const { width, height } = dimensions
  const megapixels = Math.round((width * height) / 100_000) / 10
  const parts = [`${format.number(width)} × ${format.number(height)}`]
  if (megapixels >= 1) parts.push(t('viewer.megapixels', { count: format.number(megapixels) }))
  return [[t('details.picture'), parts.join(' · ')]]
}

function takenFacts(t: Translate, format: Format, { taken }: PhotoFacts): TextFact[] {
  return taken === undefined ? [] : [[t('viewer.factTaken'), format.dateTime(taken)]]
}

function cameraFacts(t: Translate, format: Format, photo: PhotoFacts): TextFact[] {
  const { camera, lens, exposure, aperture, sensitivity, focalLength, location } = photo
  const exposures = [
    exposure === undefined ? '' : t('viewer.seconds', { time: exposureText(exposure, format.number) }),
    aperture === undefined ? '' : `ƒ/${format.number(aperture)}`,
    sensitivity === undefined ? '' : `ISO ${sensitivity}`,
  ].filter(Boolean)
  const facts: TextFact[] = []
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
function usePhotoFacts(address: string, { modified, size }: PictureFactsProps['file']): PhotoFacts {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['photo', address, modified, size],
    staleTime: 'static',
    retry: false,
    queryFn: async ({ signal }) => {
      const { HEAD_BYTES, photoFacts } = await import('./photo-facts.ts')
      return await photoFacts(await fetchHead(client, address, HEAD_BYTES, signal))
    },
  })
  return data ?? {}
}
