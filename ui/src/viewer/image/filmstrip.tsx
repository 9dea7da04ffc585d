import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import { useFileUrls } from '../file/file-source.ts'
import { isVectorImage, viewKindOf } from '../file/view-kind.ts'
import styles from './filmstrip.module.css'

interface FilmstripProps {
  readonly file: Resource
  readonly folder: VirtualPath
  readonly entries: readonly Resource[]
  readonly onShow: (entry: Resource) => void
}

/** The pictures of the folder in a row; only visible ones are in the page. */
export function Filmstrip({ file, folder, entries, onShow }: FilmstripProps) {
  const t = useText()
  const scroll = useRef<HTMLDivElement>(null)
  const narrow = useMediaQuery(NARROW)
  const pictures = useMemo(() => entries.filter((entry) => viewKindOf(entry) === 'image'), [entries])
  const current = pictures.findIndex(({ name }) => name === file.name)
  const width = narrow ? 66 : 82
  const frames = useVirtualizer({
    horizontal: true,
    isRtl: document.documentElement.dir === 'rtl',
    count: pictures.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => width,
    overscan: 4,
    paddingStart: narrow ? 12 : 16,
    paddingEnd: narrow ? 12 : 16,
  })
  useEffect(() => {
    if (current !== -1) frames.scrollToIndex(current, { align: 'center' })
  }, [current, frames])
  if (pictures.length < 2) return null
  return (
    <nav ref={scroll} className={styles['filmstrip']} aria-label={t('viewer.filmstrip')} data-chrome="">
      <div className={styles['row']} style={{ inlineSize: frames.getTotalSize() }}>
        {frames.getVirtualItems().map(({ index, start }) => {
          const entry = pictures[index]
          return (
            entry && (
              <button
                key={entry.name}
                type="button"
                className={styles['frame']}
                style={{ insetInlineStart: start, inlineSize: width - 6 }}
                aria-label={entry.name}
                title={entry.name}
                aria-current={index === current || undefined}
                tabIndex={index === current ? 0 : -1}
                onClick={() => onShow(entry)}
              >
                <Frame entry={entry} path={childOf(folder, entry.name)} />
              </button>
            )
          )
        })}
      </div>
    </nav>
  )
}

function Frame({ entry, path }: { readonly entry: Resource; readonly path: VirtualPath }) {
  const urls = useFileUrls()
  const { EnableThumbs: thumbnails } = useConfig()
  const [broken, setBroken] = useState(false)
  if (!thumbnails || broken) return <FileGlyph type="image" size={32} />
  return (
    <img
      src={isVectorImage(entry.name) ? urls.raw(path) : urls.thumbnail(path, entry.modified)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(true)}
    />
  )
}
