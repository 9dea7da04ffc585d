import { useMemo } from 'react'
import { getRaw } from '../../../src/api/files.ts'
import { getPreview, getSubtitles } from '../../../src/api/previews.ts'
import { useClient } from '../api/client-context.tsx'
import { useFileSource } from './file-source.ts'
/** The addresses of what the server tells about a file, by its path. The cookie of the session lets them in, or a link. */
export interface FileUrls {
  /** The bytes, to be shown. */
  raw(path: string): string
  /** The bytes, to be saved. */
  download(path: string): string
  /** A picture that fits into 1080 × 1080. @param state of the file: another one is another address */
  picture(path: string, state: string): string
  /** A picture of 256 × 256. */
  thumbnail(path: string, state: string): string
  /** Subtitles as WebVTT. */
  subtitles(path: string): string
}

export function useFileUrls(): FileUrls {
  const client = useClient()
  const source = useFileSource()
  return useMemo(() => {
    if (source !== undefined) return source.urls
    const inline = 'true'
    const preview = (size: 'big' | 'thumb', path: string, key: string) =>
      client.url(getPreview, { params: { size, '*': path }, query: { inline, key: String(Date.parse(key)) } })
    return {
      raw: (path) => client.url(getRaw, { params: { '*': path }, query: { inline } }),
      download: (path) => client.url(getRaw, { params: { '*': path } }),
      picture: (path, state) => preview('big', path, state),
      thumbnail: (path, state) => preview('thumb', path, state),
      subtitles: (path) => client.url(getSubtitles, { params: { '*': path }, query: { inline } }),
    }
  }, [client, source])
}
