import type { Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { createStore } from '../../lib/create-store.ts'
import { startPlaying } from './player.tsx'

/** A song, and the files around it. */
export interface LoadedSong {
  readonly path: VirtualPath
  readonly file: Resource
  /** The songs of its folder, in the order of the list. */
  readonly queue: readonly Resource[]
  /** All files of its folder, for the cover. */
  readonly entries: readonly Resource[]
}

/** One audio element that outlives the stage in which it is shown. Close it. */
export class SoundPlayer {
  readonly audio = new Audio()
  readonly song = createStore<LoadedSong | undefined>(undefined)
  /** In a stage, which has controls of its own. */
  readonly isShown = createStore(false)
  readonly #addressOf: (path: VirtualPath) => string
  readonly #onClose: () => void
  readonly #listening = new AbortController()

  constructor(addressOf: (path: VirtualPath) => string, onClose: () => void) {
    this.#addressOf = addressOf
    this.#onClose = onClose
    this.audio.preload = 'metadata'
    this.audio.setAttribute('controlsList', 'noplaybackrate')
    const { signal } = this.#listening
    const goOn = (): void => {
      // In a stage, the next song gets a stage of its own.
      if (!this.isShown.get()) this.step(1)
    }
    this.audio.addEventListener('ended', goOn, { signal })
    this.audio.addEventListener('error', goOn, { signal })
    document.addEventListener('play', this.#pauseFor, { signal, capture: true })
  }

  /** Shows the browser's controls in a stage. The element must never leave the document, which would pause it. */
  show(place: Element): void {
    this.audio.controls = true
    place.append(this.audio)
    this.isShown.set(true)
  }

  /** The stage ends: what plays goes on, without being seen. */
  hide(): void {
    this.audio.controls = false
    document.body.append(this.audio)
    this.isShown.set(false)
  }

  /** Goes on if the song is the one that plays already, and plays on with it if another one does. */
  load(song: LoadedSong): void {
    const isSame = this.song.get()?.path === song.path
    const isPlaying = !this.audio.paused
    this.song.set(song)
    this.audio.setAttribute('aria-label', song.file.name)
    if (isSame) return
    this.audio.src = this.#addressOf(song.path)
    if (isPlaying) startPlaying(this.audio)
  }

  /** The song before or after this one; undefined at the end. */
  neighbour(step: -1 | 1): Resource | undefined {
    const { file, queue } = this.song.get() ?? {}
    const index = queue?.findIndex(({ name }) => name === file?.name) ?? -1
    return index === -1 ? undefined : queue?.[index + step]
  }

  /** Plays the previous or next song. After the last one, it closes. */
  step(by: -1 | 1): void {
    const song = this.song.get()
    const file = this.neighbour(by)
    if (song !== undefined && file !== undefined) {
      this.load({ ...song, file, path: childOf(parentOf(song.path), file.name) })
      startPlaying(this.audio)
    } else if (by === 1) this.close()
  }

  close(): void {
    this.#listening.abort()
    this.audio.pause()
    this.audio.remove()
    this.audio.removeAttribute('src')
    this.#onClose()
  }

  /** A video or another song has started. */
  readonly #pauseFor = ({ target }: Event): void => {
    if (target !== this.audio) this.audio.pause()
  }
}
