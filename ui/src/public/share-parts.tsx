import { type ReactNode, useMemo, useState } from 'react'
import type { Resource } from '../../../src/domain/files/resource.ts'
import { useConfig } from '../api/page-config.tsx'
import { isBrowserImage } from '../files/actions/picture.tsx'
import type { FileUrls } from '../files/actions/download.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useText, useLocale } from '../i18n/use-text.tsx'
import { lazyComponent } from '../kit/lazy-component.tsx'
import { createFormatWhen } from '../lib/format.ts'
import styles from './card.module.css'
import type { OpenShare } from './open-share.ts'

const DAY = 86_400_000

/** Size and dates in one line. */
export function ShareFacts({ children }: { readonly children: ReactNode }) {
  return <p className={styles['facts']}>{children}</p>
}

/** When a file was modified; the exact time is in the tooltip. */
export function ModifiedFact({ modified }: Pick<Resource, 'modified'>) {
  const t = useText()
  const format = useFormat()
  const locale = useLocale()
  const when = useMemo(() => createFormatWhen(locale), [locale])
  const [now] = useState(() => new Date())
  const date = new Date(modified)
  if (Number.isNaN(date.getTime())) return null
  return (
    <time dateTime={modified} title={format.dateTime(date)}>
      {t('public.modified', { time: when(date, now) })}
    </time>
  )
}

/** When a link expires, with the time of day in its last two days. Nothing for links without expiry. */
export function ExpiryFact({ expire }: { readonly expire: number | undefined }) {
  const t = useText()
  const format = useFormat()
  const locale = useLocale()
  const [now] = useState(() => Date.now())
  if (expire === undefined || expire === 0) return null
  const date = new Date(expire * 1000)
  const exact = format.dateTime(date)
  const near = date.getTime() - now < 2 * DAY
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(date)
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {t('public.validUntil', { date: near ? exact : day })}
    </time>
  )
}

/** How many downloads a link allows yet. Nothing for links without a limit. */
export function DownloadsLeft({ count }: { readonly count: number | null }) {
  const t = useText()
  if (count === null) return null
  return <strong>{count === 0 ? t('public.limitReached') : t('public.downloadsLeft', { count })}</strong>
}

/** Up to this size the original loads as fast as a resized image. */
const SMALL_FILE = 512 * 1024

interface FileHeroProps {
  readonly share: Pick<OpenShare, 'urls' | 'downloadsLeft'>
  readonly file: Resource
  readonly path: string
  readonly className?: string | undefined
}

/** A preview of a picture, audio or video file; nothing for others. Where downloads are limited, only a small picture. */
export function FileHero({ share: { urls, downloadsLeft }, file, path, className }: FileHeroProps) {
  const t = useText()
  const { ResizePreview } = useConfig()
  const [failed, setFailed] = useState(0)
  const label = t('public.preview', { name: file.name })
  const limited = downloadsLeft !== null
  if (file.type === 'image') {
    const src = heroSources(urls, file, path, ResizePreview, limited)[failed]
    if (src === undefined) return null
    return (
      <div className={className}>
        <img src={src} alt={label} onError={() => setFailed(failed + 1)} />
      </div>
    )
  }
  if (failed > 0 || limited || (file.type !== 'audio' && file.type !== 'video')) return null
  const Player = file.type
  return (
    <div className={className}>
      <Player src={urls.raw(path)} aria-label={label} controls preload="metadata" onError={() => setFailed(1)} />
    </div>
  )
}

/** The addresses to try for a picture, the best first. */
function heroSources(urls: FileUrls, file: Resource, path: string, resize: boolean, limited: boolean): string[] {
  const small = urls.picture(path, file.modified)
  if (limited || !isBrowserImage(file.name)) return [small]
  const useOriginal = /\.(svg|gif|apng|ico)$/i.test(file.name) || file.size <= SMALL_FILE || !resize
  return useOriginal ? [urls.raw(path)] : [small, urls.raw(path)]
}

const QrCode = lazyComponent(
  async () => (await import('../kit/text/qr-code.tsx')).QrCode,
  ({ size = 0 }) => <span style={{ inlineSize: size + 22, blockSize: size + 22 }} />,
)

interface ShareQrProps {
  readonly text: string
  readonly label: string
  readonly hint: string
  readonly size: number
}

/** A QR code with a hint. */
export function ShareQr({ text, label, hint, size }: ShareQrProps) {
  return (
    <>
      <QrCode text={text} label={label} size={size} />
      <span>{hint}</span>
    </>
  )
}
