import { useEffect, useRef, useState } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import { viewKindOf } from './model/view-kind.ts'

const REST = 4000

export interface Slideshow {
  readonly playing: boolean
  toggle(): void
  /** The picture stands: from now on it is looked at. */
  onReady(): void
}

/** Picture after picture, and again from the first, until it is stopped. Each is shown for as long, however long it took to come. */
export function useSlideshow(
  file: Resource,
  entries: readonly Resource[],
  onShow: (entry: Resource) => void,
): Slideshow {
  const [playing, setPlaying] = useState(false)
  const [ready, setReady] = useState<string | null>(null)
  const showNext = useRef<() => void>(undefined)
  useEffect(() => {
    showNext.current = () => {
      const pictures = entries.filter((entry) => viewKindOf(entry) === 'image')
      const next = pictures[(pictures.findIndex(({ name }) => name === file.name) + 1) % pictures.length]
      if (next !== undefined && next.name !== file.name) onShow(next)
    }
  })
  const stands = ready === file.name
  useEffect(() => {
    if (!playing || !stands) return
    const timer = setTimeout(() => showNext.current?.(), REST)
    return () => clearTimeout(timer)
  }, [playing, stands])
  const isPicture = viewKindOf(file) === 'image'
  useEffect(() => {
    if (!isPicture) setPlaying(false)
  }, [isPicture])
  return { playing, toggle: () => setPlaying((on) => !on), onReady: () => setReady(file.name) }
}
