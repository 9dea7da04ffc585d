import { useEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { useText } from '../../i18n/use-text.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { useFileUrls } from '../file/file-source.ts'
import { viewKindOf } from '../file/view-kind.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { type MediaState, PlayerBar, startPlaying, useMediaKeys, useMediaState, useResume } from './player.tsx'
import { type ShownSong, useSongFacts } from './song-facts.ts'
import styles from './media.module.css'
import { useLatest } from '../../lib/hooks.ts'

/** A song with its cover. The songs of the folder play one after the other. */
export function AudioStage({ file, path, entries, autoplay, onDamaged, onShow }: ViewedFile) {
  const t = useText()
  const urls = useFileUrls()
  const audio = useRef<HTMLAudioElement>(null)
  const state = useMediaState(audio)
  const song = useSongFacts(path, file, entries)
  const queue = useMemo(() => entries.filter((entry) => viewKindOf(entry) === 'audio'), [entries])
  const index = queue.findIndex(({ name }) => name === file.name)
  const toSong = (step: -1 | 1): void => {
    const entry = queue[index + step]
    if (index !== -1 && entry !== undefined) onShow(entry)
  }
  useResume(audio, path)
  useMediaKeys(audio, state, toSong)
  useMediaSession({ song, state, onStep: toSong })
  useEffect(() => {
    if (autoplay.on && audio.current) startPlaying(audio.current)
  }, [autoplay])
  return (
    <div className={styles['place']}>
      <div className={styles['song']}>
        <div className={styles['cover']}>
          <Cover address={song.cover} />
        </div>
        <div className={styles['titles']}>
          <h2 dir="auto">{song.title}</h2>
          {(song.artist ?? song.album) !== undefined && (
            <p dir="auto">{[song.artist, song.album].filter((part) => part !== undefined).join(' · ')}</p>
          )}
        </div>
        <audio
          ref={audio}
          className={styles['audio']}
          src={urls.raw(path)}
          controls
          controlsList="noplaybackrate"
          preload="metadata"
          aria-label={file.name}
          onPlay={() => autoplay.set(true)}
          onEnded={() => toSong(1)}
          onError={onDamaged}
        />
        {queue.length > 1 && <Queue label={t('viewer.queue')} queue={queue} current={index} onShow={onShow} />}
      </div>
      <PlayerBar state={state} />
    </div>
  )
}

function Cover({ address }: { readonly address: string | undefined }) {
  const [broken, setBroken] = useState<string>()
  if (address === undefined || broken === address) return <FileGlyph type="audio" size={56} />
  return <img src={address} alt="" onError={() => setBroken(address)} />
}

interface QueueProps {
  readonly label: string
  readonly queue: readonly Resource[]
  readonly current: number
  readonly onShow: (entry: Resource) => void
}

/** Songs listed before and after the one that plays: a folder may hold thousands. */
const MAX_LISTED_PER_SIDE = 50

function Queue({ label, queue, current, onShow }: QueueProps) {
  const list = useRef<HTMLOListElement>(null)
  const first = Math.max(0, current - MAX_LISTED_PER_SIDE)
  useEffect(() => {
    // Braces: newer browsers return a promise here, which React would take for a cleanup function.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <ol ref={list} className={styles['queue']} aria-label={label}>
      {queue.slice(first, current + MAX_LISTED_PER_SIDE).map((entry, offset) => (
        <li key={entry.name}>
          <button
            type="button"
            dir="auto"
            aria-current={first + offset === current || undefined}
            onClick={() => onShow(entry)}
          >
            {entry.name}
          </button>
        </li>
      ))}
    </ol>
  )
}

interface SessionOptions {
  readonly song: ShownSong
  readonly state: MediaState
  readonly onStep: (step: -1 | 1) => void
}

/** Shows the song on the lock screen and handles the media keys of keyboards and headphones. */
function useMediaSession({ song, state, onStep }: SessionOptions): void {
  const latest = useLatest({ state, onStep })
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
  }, [latest])
}
