import { useEffect, useRef } from 'react'
import type { MediaState } from './use-media-state.ts'
import type { ShownSong } from './use-song-facts.ts'

interface SessionOptions {
  readonly song: ShownSong
  readonly state: MediaState
  readonly onStep: (step: -1 | 1) => void
}

/** Shows the song on the lock screen, and follows the keys of keyboards and headphones. */
export function useMediaSession({ song, state, onStep }: SessionOptions): void {
  const latest = useRef({ state, onStep })
  useEffect(() => {
    latest.current = { state, onStep }
  })
  const { title, artist = '', album = '', cover } = song
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    const artwork = cover === undefined ? [] : [{ src: new URL(cover, location.href).href }]
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist, album, artwork })
  }, [title, artist, album, cover])
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    const { mediaSession } = navigator
    const actions: [MediaSessionAction, () => void][] = [
      ['previoustrack', () => latest.current.onStep(-1)],
      ['nexttrack', () => latest.current.onStep(1)],
      ['seekbackward', () => latest.current.state.skip(-10)],
      ['seekforward', () => latest.current.state.skip(10)],
    ]
    for (const [action, run] of actions) mediaSession.setActionHandler(action, run)
    return () => {
      for (const [action] of actions) mediaSession.setActionHandler(action, null)
      mediaSession.metadata = null
    }
  }, [])
}
