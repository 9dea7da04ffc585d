import { createResource, saveResource } from '../../../../src/api/files/files-changes.ts'
import { getRaw } from '../../../../src/api/files/downloads.ts'
import { MAX_TEXT_BYTES } from '../../../../src/domain/files/resource-type.ts'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { ApiError, noConnection } from '../../api/api-error.ts'
import { provenEncoding } from '../../../../src/domain/text/proven-encoding.ts'
import { type FileText, readText } from '../../api/text-file.ts'
import type { Client } from '../../api/client.ts'
import { type DecodedText, decodedText } from './text-format.ts'

export type LoadedFile =
  | { readonly kind: 'text'; readonly text: DecodedText; readonly etag: string | null }
  | { readonly kind: 'binary' }
  | { readonly kind: 'too-large'; readonly size: number }

/** A text as it was read from the server, with its version. */
export interface OpenedText {
  readonly text: DecodedText
  readonly etag: string | null
}

export interface SavedFile {
  /** The new version. */
  readonly etag: string | null
  /** The file had other hard links, which keep the old content. */
  readonly linksParted: boolean
}

/** Reads and writes whole files with their version, an RFC 9110 entity tag. */
export interface FileIo {
  /**
   * Reads a file in the encoding that a person has chosen for an older version, if all its bytes fit, or else in the detected one.
   *
   * @throws ApiError
   */
  load(path: string, signal?: AbortSignal, chosen?: Encoding): Promise<LoadedFile>
  /** The text of a file that was loaded, in an encoding that a person chose. */
  decode(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): Promise<DecodedText | undefined>
  /**
   * Replaces the file if it still has this version; null replaces any version.
   *
   * @throws ApiError, status 412 if the file has changed
   */
  save(path: string, bytes: Uint8Array<ArrayBuffer>, etag: string | null): Promise<SavedFile>
  /** Creates a file. @throws ApiError, status 409 if the name is taken */
  create(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<SavedFile>
}

export function createFileIo(client: Client): FileIo {
  async function ask(url: string, init: RequestInit): Promise<Response> {
    const sent = client.authHeaders()
    const headers = { Accept: 'application/json', ...sent, ...(init.headers as Record<string, string>) }
    const response = await fetch(url, { ...init, headers }).catch(noConnection)
    client.handleAuthHeaders({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
    if (response.status === 401 && (await client.waitForSignIn(sent))) return await ask(url, init)
    if (!response.ok) throw await ApiError.from(response)
    return response
  }

  async function textOf(bytes: Uint8Array, chosen: Encoding | undefined): Promise<FileText | undefined> {
    const isProven = provenEncoding(bytes) !== undefined
    const found = isProven || chosen === undefined ? undefined : await readText(client, bytes, chosen)
    return found?.isExact === true ? found : await readText(client, bytes)
  }

  return {
    async load(path, signal, chosen) {
      const response = await ask(client.url(getRaw, { params: { '*': path }, query: { inline: 'true' } }), {
        cache: 'no-store',
        signal: signal ?? null,
      })
      const size = Number(response.headers.get('Content-Length') ?? 0)
      if (size > MAX_TEXT_BYTES) {
        await response.body?.cancel()
        return { kind: 'too-large', size }
      }
      const bytes = new Uint8Array(await response.arrayBuffer())
      const found = await textOf(bytes, chosen)
      if (found === undefined) return { kind: 'binary' }
      return { kind: 'text', text: decodedText(bytes, found), etag: response.headers.get('ETag') }
    },
    async decode(bytes, encoding) {
      const found = await readText(client, bytes, encoding)
      return found && decodedText(bytes, found)
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
