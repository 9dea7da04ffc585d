import { useEffect, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { viewKindOf } from '../file/view-kind.ts'

const SLIDE_DURATION = 4000

export interface Slideshow {
  readonly playing: boolean
  toggle(): void
  /** The picture is on the screen: its time starts now. */
  onReady(): void
}

/** Shows picture after picture in a loop, each for the same time after it has loaded. */
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
  const isShown = ready === file.name
  useEffect(() => {
    if (!playing || !isShown) return
    const timer = setTimeout(() => showNext.current?.(), SLIDE_DURATION)
    return () => clearTimeout(timer)
  }, [playing, isShown])
  const isPicture = viewKindOf(file) === 'image'
  useEffect(() => {
    if (!isPicture) setPlaying(false)
  }, [isPicture])
  return { playing, toggle: () => setPlaying((on) => !on), onReady: () => setReady(file.name) }
}
