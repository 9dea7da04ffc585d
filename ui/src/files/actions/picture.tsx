import { useEffect, useState } from 'react'
import { type FileGlyphName, FileGlyph } from '../../kit/icon/icon.tsx'

interface PictureProps {
  /** Stands for it while there is none. */
  readonly glyph: FileGlyphName
  /** Pixels of the glyph; it follows the density unless told. */
  readonly size?: 56
  readonly src: string | null
  isScrolling?(): boolean
}

/** Milliseconds. Fast scrolling past ten thousand images draws none of them; slow scrolling has them ready in time. */
const STAY = 250

/** The picture itself, or the glyph of its type while there is none or when it cannot be shown. */
export function Picture({ glyph, size, src, isScrolling }: PictureProps) {
  const [stays, setStays] = useState(() => isScrolling?.() !== true)
  const [broken, setBroken] = useState<string | null>(null)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => setStays(true), STAY)
    return () => clearTimeout(timer)
  }, [stays])
  if (src === null || broken === src) return <FileGlyph type={glyph} size={size} />
  return (
    <img
      src={stays ? src : undefined}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(src)}
    />
  )
}
