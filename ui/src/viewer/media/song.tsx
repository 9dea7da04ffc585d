import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { fetchHead } from '../../api/fetch-head.ts'
import { readTexts } from '../../api/text-file.ts'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { useLatest } from '../../lib/hooks.ts'
import { useFileUrls } from '../file/file-source.ts'
import { id3Length, readId3, type SongFacts } from './id3.ts'
import type { MediaState } from './player.tsx'

interface CoverProps {
  readonly address: string | undefined
  readonly size: 24 | 56
}

/** The cover of a song, or the sign of songs. */
export function Cover({ address, size }: CoverProps) {
  const [broken, setBroken] = useState<string>()
  if (address === undefined || broken === address) return <FileGlyph type="audio" size={size} />
  return <img src={address} alt="" onError={() => setBroken(address)} />
}

interface SessionOptions {
  readonly song: ShownSong
  readonly state: MediaState
  readonly onStep: (step: -1 | 1) => void
}

/** Shows the song on the lock screen and handles the media keys of keyboards and headphones. */
export function useMediaSession({ song, state, onStep }: SessionOptions): void {
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

interface ShownSong {
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
  return { title: facts.title ?? titleOf(file.name), artist: facts.artist, album: facts.album, cover }
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

/** What a song is called as long as its tag has not been read. */
export function titleOf(name: string): string {
  return name.replace(/\.[^.]+$/, '')
}
