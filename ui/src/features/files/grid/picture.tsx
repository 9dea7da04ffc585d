import { useState } from 'react'
import type { Resource } from '../../../../../src/domain/resource.ts'
import { FileGlyph } from '../../../kit/icon.tsx'
import { kindOf } from '../model/entry-kind.ts'

interface PictureProps {
  readonly entry: Resource
  readonly src: string | null
}

/** The picture itself, or the glyph of its type while there is none or when it cannot be shown. */
export function Picture({ entry, src }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (src === null || broken === src) return <FileGlyph type={kindOf(entry)} size={56} />
  return <img src={src} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setBroken(src)} />
}
