import { useState } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import { useConfig } from '../api/config.tsx'
import { useText } from '../i18n/use-text.tsx'
import type { ShareUrls } from './share-urls.ts'

const DRAWN_BY_BROWSERS = /\.(png|apng|jpe?g|jfif|gif|webp|avif|svg|bmp|ico)$/i
/** Up to this size the original comes as fast as a smaller picture. */
const SMALL = 512 * 1024

interface FileHeroProps {
  readonly urls: ShareUrls
  readonly file: Resource
  readonly path: string
  readonly className?: string | undefined
}

/** What a file looks or sounds like: pictures, songs and films. Nothing for all others. */
export function FileHero({ urls, file, path, className }: FileHeroProps) {
  const t = useText()
  const { ResizePreview } = useConfig()
  const [failed, setFailed] = useState(0)
  const label = t('public.preview', { name: file.name })
  if (file.type === 'image') {
    const src = pictureSources(urls, file, path, ResizePreview)[failed]
    if (src === undefined) return null
    return (
      <div className={className}>
        <img src={src} alt={label} onError={() => setFailed(failed + 1)} />
      </div>
    )
  }
  if (failed > 0 || (file.type !== 'audio' && file.type !== 'video')) return null
  const Player = file.type
  return (
    <div className={className}>
      <Player src={urls.raw(path)} aria-label={label} controls preload="metadata" onError={() => setFailed(1)} />
    </div>
  )
}

/** The addresses to try, the best first. */
function pictureSources(urls: ShareUrls, file: Resource, path: string, resize: boolean): string[] {
  const small = urls.picture(path, file.modified)
  if (!DRAWN_BY_BROWSERS.test(file.name)) return [small]
  const asItIs = /\.(svg|gif|apng|ico)$/i.test(file.name) || file.size <= SMALL || !resize
  return asItIs ? [urls.raw(path)] : [small, urls.raw(path)]
}
