import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Resource } from '../../../../src/domain/resource.ts'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useClient } from '../../api/client-context.tsx'
import { useFileUrls } from '../use-file-urls.ts'
import { id3Length, readId3, type SongFacts } from './id3.ts'

/** A tag with a cover may be large; one that is larger does without it. */
const MOST_BYTES = 4 * 1024 * 1024
const FIRST_BYTES = 64 * 1024
const COVER_NAME = /^(cover|folder|front|album)\.(jpe?g|png|webp)$/i

export interface ShownSong {
  readonly title: string
  readonly artist: string | undefined
  readonly album: string | undefined
  /** The address of the cover: that of the song, else of the folder. */
  readonly cover: string | undefined
}

/** What a song says about itself, else its file and its folder. */
export function useSongFacts(path: VirtualPath, file: Resource, entries: readonly Resource[]): ShownSong {
  const client = useClient()
  const urls = useFileUrls()
  const { data: facts = {} } = useQuery({
    queryKey: ['song', urls.raw(path), file.modified, file.size],
    staleTime: 'static',
    retry: false,
    queryFn: async ({ signal }): Promise<SongFacts> => {
      const fetchHead = async (length: number): Promise<Uint8Array> => {
        const headers = { ...client.authHeaders(), Range: `bytes=0-${Math.max(0, Math.min(length, file.size) - 1)}` }
        const response = await fetch(urls.raw(path), { headers, signal })
        return response.ok ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array()
      }
      const head = await fetchHead(FIRST_BYTES)
      const length = Math.min(id3Length(head), MOST_BYTES)
      return readId3(length > head.length ? await fetchHead(length) : head)
    },
  })
  const own = useObjectUrl(facts.cover)
  const beside = entries.find(({ name, isDir }) => !isDir && COVER_NAME.test(name))
  const cover = own ?? (beside && urls.picture(childOf(parentOf(path), beside.name), beside.modified))
  return { title: facts.title ?? file.name.replace(/\.[^.]+$/, ''), artist: facts.artist, album: facts.album, cover }
}

function useObjectUrl(cover: SongFacts['cover']): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (cover === undefined) return setAddress(undefined)
    const made = URL.createObjectURL(new Blob([cover.bytes.slice()], { type: cover.type }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [cover])
  return address
}
