import { useEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/resource.ts'
import { useText } from '../../i18n/use-text.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { viewKindOf } from '../model/view-kind.ts'
import { useFileUrls } from '../use-file-urls.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { PlayerBar } from './player-bar.tsx'
import { useMediaKeys } from './use-media-keys.ts'
import { useMediaSession } from './use-media-session.ts'
import { startPlaying, useMediaState } from './use-media-state.ts'
import { usePlaceIn } from './use-place-in.ts'
import { useSongFacts } from './use-song-facts.ts'
import styles from './media.module.css'

/** A song with its cover; the songs of the folder come one after the other. */
export function AudioStage({ file, path, entries, playing, onDamaged, onShow }: ViewedFile) {
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
  usePlaceIn(audio, path)
  useMediaKeys(audio, state, toSong)
  useMediaSession({ song, state, onStep: toSong })
  useEffect(() => {
    if (playing.wanted && audio.current) startPlaying(audio.current)
  }, [playing])
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
          onPlay={() => playing.want(true)}
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

/** So many songs on both sides of the one that plays are listed: a folder may hold thousands. */
const NEAR = 50

function Queue({ label, queue, current, onShow }: QueueProps) {
  const list = useRef<HTMLOListElement>(null)
  const first = Math.max(0, current - NEAR)
  useEffect(() => {
    // In new browsers it answers with a promise, which would be taken for the end of the effect.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <ol ref={list} className={styles['queue']} aria-label={label}>
      {queue.slice(first, current + NEAR).map((entry, offset) => (
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
