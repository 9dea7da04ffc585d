import { createResource, getRaw, saveResource } from '../../../src/api/files.ts'
import { LONGEST_TEXT } from '../../../src/domain/resource-type.ts'
import { ApiError, noConnection } from '../api/api-error.ts'
import type { Client } from '../api/client.ts'
import { decodeText, type DecodedText } from './model/text-codec.ts'

export type LoadedFile =
  | { readonly kind: 'text'; readonly text: DecodedText; readonly etag: string | null }
  | { readonly kind: 'binary' }
  | { readonly kind: 'too-large'; readonly size: number }

export interface SavedFile {
  /** The new version. */
  readonly etag: string | null
  /** The file had other names, which keep the old content. */
  readonly linksParted: boolean
}

/** Reads and writes whole files with the version they have: RFC 9110 entity tags. */
export interface FileIo {
  /** @throws ApiError */
  load(path: string, signal?: AbortSignal): Promise<LoadedFile>
  /**
   * Replaces the file that has this version, whatever version it has when that is null.
   *
   * @throws ApiError, status 412 when the file is another one by now
   */
  save(path: string, bytes: Uint8Array<ArrayBuffer>, etag: string | null): Promise<SavedFile>
  /** Makes a file where none is. @throws ApiError, status 409 when the name is taken */
  create(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<SavedFile>
}

export function createFileIo(client: Client): FileIo {
  async function ask(url: string, init: RequestInit): Promise<Response> {
    const sent = client.authHeaders()
    const headers = { Accept: 'application/json', ...sent, ...(init.headers as Record<string, string>) }
    const response = await fetch(url, { ...init, headers }).catch(noConnection)
    client.heed({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
    if (response.status === 401 && (await client.back(sent))) return await ask(url, init)
    if (!response.ok) throw await ApiError.from(response)
    return response
  }

  return {
    async load(path, signal) {
      const response = await ask(client.url(getRaw, { params: { '*': path } }), {
        cache: 'no-store',
        signal: signal ?? null,
      })
      const size = Number(response.headers.get('Content-Length') ?? 0)
      if (size > LONGEST_TEXT) {
        await response.body?.cancel()
        return { kind: 'too-large', size }
      }
      const text = decodeText(new Uint8Array(await response.arrayBuffer()))
      return text === undefined ? { kind: 'binary' } : { kind: 'text', text, etag: response.headers.get('ETag') }
    },
    async save(path, bytes, etag) {
      const headers = etag === null ? {} : { 'If-Match': etag }
      const url = client.url(saveResource, { params: { '*': path } })
      return savedBy(await ask(url, { method: 'PUT', body: bytes, headers }))
    },
    async create(path, bytes) {
      const url = client.url(createResource, { params: { '*': path } })
      return savedBy(await ask(url, { method: 'POST', body: bytes, headers: {} }))
    },
  }
}

function savedBy({ headers }: Response): SavedFile {
  return { etag: headers.get('ETag'), linksParted: headers.has('X-Filemgr-Links-Parted') }
}
