import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useLatest } from '../../lib/hooks.ts'
import { useFileUrls } from '../file/file-source.ts'
import { viewKindOf } from '../file/view-kind.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { PlayerBar, startPlaying, useMediaKeys, useMediaState, useResume } from './player.tsx'
import { Cover, titleOf, useMediaSession, useSongFacts } from './song.tsx'
import { SoundContext } from './sound-host.ts'
import { SoundPlayer } from './sound-player.ts'
import styles from './media.module.css'

/** A song with its cover. The songs of the folder play one after the other, and go on when the viewer is closed. */
export function AudioStage({ file, path, entries, autoplay, onDamaged, onShow }: ViewedFile) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const queue = useMemo(() => entries.filter((entry) => viewKindOf(entry) === 'audio'), [entries])
  const player = useSoundPlayer()
  const audio = useMemo(() => ({ current: player.audio }), [player])
  const state = useMediaState(audio)
  const song = useSongFacts(path, file, entries)
  const index = queue.findIndex(({ name }) => name === file.name)
  const toSong = (step: -1 | 1): void => {
    const entry = queue[index + step]
    if (index !== -1 && entry !== undefined) onShow(entry)
  }
  useLayoutEffect(() => {
    if (place.current) player.show(place.current)
    return () => player.hide()
  }, [player])
  useLayoutEffect(() => player.load({ path, file, queue, entries }), [player, path, file, queue, entries])
  useResume(audio, path)
  useEnd(player)
  useMediaKeys(audio, state, toSong)
  useMediaSession({ song, state, onStep: toSong })
  const latest = useLatest({ autoplay, onDamaged, toSong })
  useEffect(() => {
    const listening = new AbortController()
    const on = (name: string, run: () => void) => player.audio.addEventListener(name, run, listening)
    on('play', () => latest.current.autoplay.set(true))
    on('ended', () => latest.current.toSong(1))
    on('error', () => latest.current.onDamaged())
    return () => listening.abort()
  }, [player, latest])
  useEffect(() => {
    if (autoplay.on) startPlaying(player.audio)
  }, [autoplay, player])
  return (
    <div className={styles['place']}>
      <div className={styles['song']}>
        <div className={styles['cover']}>
          <Cover address={song.cover} size={56} />
        </div>
        <div className={styles['titles']}>
          <h2 dir="auto">{song.title}</h2>
          {(song.artist ?? song.album) !== undefined && (
            <p dir="auto">{[song.artist, song.album].filter((part) => part !== undefined).join(' · ')}</p>
          )}
        </div>
        <div ref={place} className={styles['audio']} />
        {queue.length > 1 && <Queue label={t('viewer.queue')} queue={queue} current={index} onShow={onShow} />}
      </div>
      <PlayerBar state={state} />
    </div>
  )
}

/** The player that goes on in the page, or one of the stage. */
function useSoundPlayer(): SoundPlayer {
  const host = useContext(SoundContext)
  const { raw } = useFileUrls()
  const [player] = useState(() => host?.get() ?? new SoundPlayer(raw, () => host?.set(undefined)))
  useEffect(() => host?.set(player), [host, player])
  return player
}

/** The stage of the next song takes over, or else the page, if anything plays. */
function useEnd(player: SoundPlayer): void {
  const host = useContext(SoundContext)
  useEffect(
    () => () => {
      if (host === undefined || (player.audio.paused && !player.isShown.get())) player.close()
    },
    [host, player],
  )
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
            title={entry.name}
            aria-current={first + offset === current || undefined}
            onClick={() => onShow(entry)}
          >
            {titleOf(entry.name)}
          </button>
        </li>
      ))}
    </ol>
  )
}
