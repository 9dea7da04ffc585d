import { type RefObject, useEffect, useState } from 'react'

export interface MediaState {
  readonly playing: boolean
  readonly speed: number
  toggle(): void
  /** By seconds, back when negative. */
  skip(seconds: number): void
  setSpeed(speed: number): void
}

/** What a film or a song does, and how to make it do something else. */
export function useMediaState(media: RefObject<HTMLMediaElement | null>): MediaState {
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  useEffect(() => {
    const element = media.current
    if (element === null) return
    const look = (): void => {
      setPlaying(!element.paused)
      setSpeed(element.playbackRate)
    }
    const events = ['play', 'pause', 'ended', 'ratechange'] as const
    for (const name of events) element.addEventListener(name, look)
    return () => {
      for (const name of events) element.removeEventListener(name, look)
    }
  }, [media])
  return {
    playing,
    speed,
    toggle() {
      const element = media.current
      if (element === null) return
      if (element.paused) startPlaying(element)
      else element.pause()
    },
    skip(seconds) {
      const element = media.current
      if (element === null || Number.isNaN(element.duration)) return
      element.currentTime = Math.min(element.duration, Math.max(0, element.currentTime + seconds))
    },
    setSpeed(wanted) {
      if (media.current) media.current.playbackRate = wanted
    },
  }
}

/** Browsers refuse to make a noise before somebody has touched the page; then the button to play stays. */
export function startPlaying(element: HTMLMediaElement): void {
  element.play().catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error
  })
}
