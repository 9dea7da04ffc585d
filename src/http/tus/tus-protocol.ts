import { AsyncLocalStorage } from 'node:async_hooks'
import { Server, type Locker } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FilemgrError, type ErrorCode } from '../../domain/errors.ts'
import type { PartChecksum } from '../../domain/upload.ts'
import type { HeldUpload } from '../../services/uploads/held-upload.ts'
import { stopSignalOf } from '../plugins/authentication.ts'
import { splitTarget } from '../protocol/request-path.ts'
import { HeldUploadStore, type TusCall } from './held-upload-store.ts'

export const PART_TYPE = 'application/offset+octet-stream'
const VERSION = '1.0.0'

/** Speaks tus 1.0 for an upload that is held for this request. */
export interface TusProtocol {
  /** Puts status and headers of the answer on the reply; sending it is the caller's. @throws what the request fails with */
  answer(request: FastifyRequest, reply: FastifyReply, upload: HeldUpload, checksum?: PartChecksum): Promise<void>
}

/** The tus protocol as the package reads it, with our own services in place of its stores and locks. */
export function createTusProtocol(): TusProtocol {
  const calls = new AsyncLocalStorage<TusCall>()
  const server = new Server({
    path: '/api/tus',
    datastore: new HeldUploadStore(calls),
    locker: noLocker,
    relativeLocation: true,
    // Without it every origin would be allowed.
    allowedOrigins: () => false,
    // An upload is named by its path, which the services have read: what the client says never names a file here.
    namingFunction: () => 'upload',
    getFileIdFromRequest: () => 'upload',
    generateUrl: ({ url }) => new URL(url).pathname,
    onResponseError: (_request, error) => {
      const call = calls.getStore()
      if (call !== undefined) call.failure = error
      return undefined
    },
  })

  return {
    async answer(request, reply, upload, checksum) {
      const call: TusCall = { upload, request: request.raw, signal: stopSignalOf(request), checksum }
      const answer = await calls.run(call, async () => await server.handleWeb(bodyless(request)))
      if (answer.status >= 400) throw ownError(call.failure, answer.status)
      // The page is our only reader in browsers, from our own origin.
      answer.headers.delete('access-control-expose-headers')
      // Worked out from the text of the answer, which is ours.
      answer.headers.delete('content-length')
      void reply.code(answer.status).headers(Object.fromEntries(answer.headers))
      if (upload.linksParted) void reply.header('x-filemgr-links-parted', '1')
    },
  }
}

/** The services let one request at a time work on an upload, and stop the one before. */
const noLocker: Locker = {
  newLock: () => ({ lock: async () => undefined, unlock: async () => undefined }),
}

/** What the protocol reads of a request. It must not see the body: to touch it is to start reading it. */
function bodyless(request: FastifyRequest) {
  const headers = new Headers({ 'tus-resumable': VERSION })
  for (const name of ['upload-offset', 'upload-length', 'content-length'] as const) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  if (request.statedType === PART_TYPE) headers.set('content-type', PART_TYPE)
  else headers.delete('content-length')
  const { path } = splitTarget(request.raw.url ?? '/')
  const method = request.method === 'GET' ? 'HEAD' : request.method
  return { method, url: `http://localhost${path}`, headers, body: null } as unknown as Parameters<
    Server['handleWeb']
  >[0]
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  413: 'TOO_LARGE',
}

function ownError(failure: unknown, status: number): unknown {
  const isProtocol = typeof failure === 'object' && failure !== null && 'status_code' in failure
  if (failure !== undefined && !isProtocol) return failure
  return new FilemgrError(CODES[status] ?? 'INVALID_INPUT', 'the upload does not allow this request')
}
