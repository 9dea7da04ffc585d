import { downloadShared, getSharedPreview, getSharedSubtitles } from '../../../src/api/public.ts'
import type { Client } from '../api/client.ts'
import type { RawUrl } from '../files/actions/download-url.ts'

/** The addresses of what a link leads to, by decoded paths in the share. */
export interface ShareUrls {
  /** The bytes, to be shown. */
  raw(path: string): string
  /** The bytes, to be saved; of a folder an archive. */
  readonly download: RawUrl
  /** A picture that fits into 1080 × 1080. @param state of the file: another one is another address */
  picture(path: string, state: string): string
  /** A picture of 256 × 256. */
  thumbnail(path: string, state: string): string
  /** Subtitles as browsers understand them. */
  subtitles(path: string): string
}

/** @param token of a share with a password, which lets the addresses in */
export function createShareUrls(client: Pick<Client, 'url'>, hash: string, token: string | undefined): ShareUrls {
  const at = (path: string) => hash + (path === '/' ? '' : path)
  const key = token === undefined ? {} : { token }
  const shown = { inline: 'true', ...key }
  const preview = (size: 'big' | 'thumb', path: string, state: string) => {
    const query = { ...shown, key: String(Date.parse(state)) }
    return client.url(getSharedPreview, { params: { size, '*': at(path) }, query })
  }
  return {
    raw: (path) => client.url(downloadShared, { params: { '*': at(path) }, query: shown }),
    download: (path, query) => client.url(downloadShared, { params: { '*': at(path) }, query: { ...query, ...key } }),
    picture: (path, state) => preview('big', path, state),
    thumbnail: (path, state) => preview('thumb', path, state),
    subtitles: (path) => client.url(getSharedSubtitles, { params: { '*': at(path) }, query: shown }),
  }
}
