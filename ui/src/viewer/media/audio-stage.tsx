import { useEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { useText } from '../../i18n/use-text.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { useFileUrls } from '../file/file-source.ts'
import { fetchHead } from '../../api/fetch-head.ts'
import { viewKindOf } from '../file/view-kind.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { type MediaState, PlayerBar, startPlaying, useMediaKeys, useMediaState, useResume } from './player.tsx'
import styles from './media.module.css'
import { useLatest } from '../../lib/hooks.ts'
import { useQuery } from '@tanstack/react-query'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { readTexts } from '../../api/text-file.ts'
import { id3Length, readId3, type SongFacts } from './id3.ts'

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

/** Larger ID3 tags are read up to here, which may lose the cover. */
const MAX_TAG_BYTES = 4 * 1024 * 1024
const FIRST_BYTES = 64 * 1024
const COVER_NAME = /^(cover|folder|front|album)\.(jpe?g|png|webp)$/i

export interface ShownSong {
  readonly title: string
  readonly artist: string | undefined
  readonly album: string | undefined
  /** Address of the cover in the song's tag, else of a cover picture in its folder. */
  readonly cover: string | undefined
}

/** Title, artist, album and cover from the ID3 tag, else from the file name and the folder. */
export function useSongFacts(path: VirtualPath, file: Resource, entries: readonly Resource[]): ShownSong {
  const client = useClient()
  const urls = useFileUrls()
  const { data: facts = {} } = useQuery({
    queryKey: ['song', urls.raw(path), file.modified, file.size],
    staleTime: 'static',
    retry: false,
    queryFn: async ({ signal }): Promise<SongFacts> => {
      const read = async (length: number) => new Uint8Array(await fetchHead(client, urls.raw(path), length, signal))
      const head = await read(FIRST_BYTES)
      const length = Math.min(id3Length(head), MAX_TAG_BYTES)
      const tag = length > head.length ? await read(length) : head
      return await readId3(tag, async (texts) => await readTexts(client, texts))
    },
  })
  const embedded = useObjectUrl(facts.cover)
  const inFolder = entries.find(({ name, isDir }) => !isDir && COVER_NAME.test(name))
  const cover = embedded ?? (inFolder && urls.picture(childOf(parentOf(path), inFolder.name), inFolder.modified))
  return { title: facts.title ?? file.name.replace(/\.[^.]+$/, ''), artist: facts.artist, album: facts.album, cover }
}

function useObjectUrl(cover: SongFacts['cover']): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (cover === undefined) return setAddress(undefined)
    const url = URL.createObjectURL(new Blob([cover.bytes.slice()], { type: cover.type }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [cover])
  return address
}
