import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { getRaw } from '../../../../src/api/files/downloads.ts'
import { getResource } from '../../../../src/api/files/files.ts'
import { getPreview } from '../../../../src/api/files/previews.ts'
import { getSubtitles } from '../../../../src/api/files/subtitles.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ApiError, noConnection } from '../../api/api-error.ts'
import { type Client, useClient } from '../../api/client.ts'
import { type FileUrls, ownFiles } from '../../files/actions/download.ts'
import { MAX_TEXT_BYTES } from '../../../../src/domain/files/resource-type.ts'

/** A share that the viewer shows files of. Without a provider it shows the user's own files. */
export interface FileSource {
  readonly urls: FileUrls
  /** The display name of the root folder. */
  readonly rootName: string
  /** Reads what a listing omits, such as the text of a file, in whichever encoding it is. @throws ApiError */
  describe(path: VirtualPath, file: Resource, signal: AbortSignal): Promise<Resource>
  /** The page of the app that shows a path. */
  appPathOf(path: string): string
}

const FileSourceContext = createContext<FileSource | undefined>(undefined)

export const FileSourceProvider = FileSourceContext.Provider

export function useFileSource(): FileSource | undefined {
  return useContext(FileSourceContext)
}

export function useFileUrls(): FileUrls {
  const client = useClient()
  const source = useFileSource()
  return useMemo(() => {
    if (source !== undefined) return source.urls
    const inline = 'true'
    const preview = (size: 'big' | 'thumb', path: string, modified: string) =>
      client.url(getPreview, { params: { size, '*': path }, query: { inline, key: String(Date.parse(modified)) } })
    return {
      raw: (path) => client.url(getRaw, { params: { '*': path }, query: { inline } }),
      download: ownFiles(client).download,
      picture: (path, modified) => preview('big', path, modified),
      thumbnail: (path, modified) => preview('thumb', path, modified),
      subtitles: (path) => client.url(getSubtitles, { params: { '*': path }, query: { inline } }),
    }
  }, [client, source])
}

/** The file with what a listing omits: its text, its subtitles, the dimensions of a picture. */
export function useDetails(path: VirtualPath, file: Resource) {
  const client = useClient()
  const source = useFileSource()
  const urls = useFileUrls()
  return useQuery(detailsQuery(source?.describe ?? describeOwn(client), urls.raw(path), path, file))
}

type Describe = FileSource['describe']

function describeOwn(client: Client): Describe {
  return async (path, _file, signal) =>
    await client.call(getResource, { params: { '*': path }, query: { resolution: 'true' }, signal })
}

/**
 * @param address distinguishes the user's own file from the same path in a share
 * @param file its modification time and size are part of the key, so a changed file is read again
 */
function detailsQuery(describe: Describe, address: string, path: VirtualPath, file: Resource) {
  return queryOptions({
    queryKey: ['file', address, file.modified, file.size],
    queryFn: async ({ signal }) => await describe(path, file, signal),
    staleTime: 60_000,
    retry: false,
  })
}

/** Fetches the content of a file. @throws ApiError; the reason of the signal */
export async function fetchFile(client: Client, url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { headers: client.authHeaders(), signal }).catch(noConnection)
  if (!response.ok) throw await ApiError.from(response)
  return response
}

/** The file with its text, as the server describes the user's own files. Of a larger or other file nothing is read. @throws ApiError */
export async function withContent(client: Client, url: string, file: Resource, signal: AbortSignal): Promise<Resource> {
  if (!file.type.startsWith('text') || file.size > MAX_TEXT_BYTES) return file
  const bytes = new Uint8Array(await (await fetchFile(client, url, signal)).arrayBuffer())
  // Loaded on demand: most visitors open no text.
  const { readText } = await import('../../api/text-file.ts')
  const found = await readText(client, bytes)
  return { ...file, content: found?.text ?? new TextDecoder().decode(bytes) }
}
