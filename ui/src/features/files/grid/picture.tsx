import { useEffect, useState } from 'react'
import type { Resource } from '../../../../../src/domain/resource.ts'
import { FileGlyph } from '../../../kit/icon.tsx'
import { kindOf } from '../model/entry-kind.ts'

interface PictureProps {
  readonly entry: Resource
  readonly src: string | null
  isScrolling(): boolean
}

/** Milliseconds. Whoever flies past ten thousand pictures has none of them drawn; at a walk they are there before they are seen. */
const STAY = 250

/** The picture itself, or the glyph of its type while there is none or when it cannot be shown. */
export function Picture({ entry, src, isScrolling }: PictureProps) {
  const [stays, setStays] = useState(() => !isScrolling())
  const [broken, setBroken] = useState<string | null>(null)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => setStays(true), STAY)
    return () => clearTimeout(timer)
  }, [stays])
  if (src === null || broken === src) return <FileGlyph type={kindOf(entry)} size={56} />
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
