import { type RefObject, useEffect, useState } from 'react'
import { createPlaces } from '../model/places.ts'
import { placeWorthKeeping, startOf } from '../model/playback.ts'

const KEEP_EVERY = 5000

/** Goes on where this film or song was left in this browser, and keeps the place from then on. */
export function usePlaceIn(media: RefObject<HTMLMediaElement | null>, file: string): void {
  const [places] = useState(() => createPlaces(localStorage))
  useEffect(() => {
    const element = media.current
    if (element === null) return
    const begin = (): void => {
      const start = startOf(places.get(file), element.duration)
      if (start > 0) element.currentTime = start
    }
    const keep = (): void => {
      const place = placeWorthKeeping(element.currentTime, element.duration)
      if (place === null) places.forget(file)
      else places.keep(file, String(place))
    }
    const timer = setInterval(() => element.paused || keep(), KEEP_EVERY)
    // The facts may be there before this runs.
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) begin()
    else element.addEventListener('loadedmetadata', begin, { once: true })
    element.addEventListener('pause', keep)
    addEventListener('pagehide', keep)
    return () => {
      clearInterval(timer)
      element.removeEventListener('loadedmetadata', begin)
      element.removeEventListener('pause', keep)
      removeEventListener('pagehide', keep)
      if (element.readyState >= HTMLMediaElement.HAVE_METADATA) keep()
    }
  }, [media, file, places])
}
