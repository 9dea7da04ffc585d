import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MultipartFile } from '@fastify/multipart'
import { createMany } from '../../../api/files/files-changes.ts'
import type { ReplyOf } from '../../../api/operation.ts'
import type { Context } from '../../../context.ts'
import { fail, isFilemgrError, unlessFails } from '../../../domain/errors.ts'
import { parseSeconds } from '../../../domain/files/file-time.ts'
import { OrderedWork } from '../../../platform/limits/ordered-work.ts'
import { asPartOf } from '../../../services/access/part-of-request.ts'
import { ERROR_STATUS } from '../../error-status.ts'
import { mount } from '../../mount.ts'
import { stopSignalOf } from '../../plugins/authentication.ts'
import type { ChangedEntry } from '../../route-config.ts'
import { formParts } from '../../protocol/forms.ts'

const FILES = 100
const FILE_BYTES = 1024 * 1024
/** Each file may have two fields, of which the path is the longer one. */
const LIMITS = { fields: 2 * FILES, files: FILES, parts: 3 * FILES, fieldSize: 16 * 1024, fileSize: FILE_BYTES }

/** Files of one request that are stored at the same time, so that they share the syncs of the disk: how many, and their bytes. */
const AT_ONCE = { count: 16, size: 256 * 1024 }
/** Bytes. A larger file is stored alone, while it arrives. */
const SMALL = 64 * 1024

type Outcome = ReplyOf<typeof createMany>[number]

interface Arrival {
  readonly path: string
  readonly file: MultipartFile['file']
  readonly modified: string | undefined
  /** The form parser has replaced bytes of the filename that are not UTF-8. */
  readonly isGarbled: boolean
}

/** Many small files in one request, because each request costs browsers and slow connections more than such a file. */
export function smallUploadRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, createMany, async ({ actor, params, query, request }) => {
    const folder = `/${params['*']}`.replace(/\/+$/, '')
    const outcomes: Outcome[] = []
    const record = recorder(request)
    await using storing = new OrderedWork(AT_ONCE)
    let fields: Record<string, string> = {}
    for await (const part of formParts(request, { limits: LIMITS, throwFileSizeLimit: false })) {
      if (part.kind === 'field') fields[part.name] = part.value
      else {
        const { path = part.filename ?? '', modified } = fields
        const isGarbled = fields['path'] === undefined && path.includes('\ufffd')
        fields = {}
        const index = outcomes.push({ path, status: 0 }) - 1
        const { body, length } = await asPartOf(actor, async (own) => {
          // If it fails, the file is refused for the same reason once it has arrived.
          await unlessFails(services.files.requireMayCreate(own, `${folder}/${path}`))
          return await receive(part.file, stopSignalOf(request))
        })
        const store = async (): Promise<void> => {
          const outcome = await create({ path, file: part.file, modified, isGarbled }, index, { body, length })
          outcomes[index] = { path, ...outcome }
        }
        // A folder comes before what is in it, and a file without a length is still arriving.
        const isAlone = length === undefined || !isPlain(path)
        await storing.add({ paths: [path], size: length ?? 0, isAlone }, store)
        // Skip the rest of a refused file, since the next part comes after it.
        part.file.resume()
      }
    }
    await storing.end()
    if (outcomes.length === 0) fail('INVALID_INPUT', 'the form has no file')
    return outcomes

    /** A form may take long to arrive: once its sender is refused, or maintenance begins, nothing more is stored. */
    function requireNotEnded(): void {
      if (request.requestEnd?.error !== undefined) throw request.requestEnd.error
    }

    async function create(
      { path: name, file, modified, isGarbled }: Arrival,
      index: number,
      content: { readonly body: Readable; readonly length: number | undefined },
    ): Promise<Omit<Outcome, 'path'>> {
      const path = `${folder}/${name}`
      // Called once the file has arrived, before it gets its name.
      const isExpected = (): boolean => {
        requireNotEnded()
        return !file.truncated || fail('TOO_LARGE', 'a file of more than 1 MiB needs a request of its own')
      }
      try {
        if (isGarbled)
          fail('INVALID_INPUT', 'the filename in the form is not UTF-8; send it as the field "path" before the file')
        // A folder has no content, so `isExpected` is not called for it.
        requireNotEnded()
        const upload = {
          ...content,
          override: query.override === 'true',
          isExpected,
          signal: stopSignalOf(request),
          ...(modified === undefined ? {} : { modified: timeOf(modified) }),
        }
        const written = await asPartOf(actor, async (own) => await services.files.create(own, path, upload))
        record(index, { path, effect: written?.replaced === true ? 'overwritten' : 'created', status: 200 })
        return { status: 200 }
      } catch (error) {
        // The client has gone, or its session has ended.
        if (!isFilemgrError(error) || error.code === 'CANCELLED' || error === request.requestEnd?.error) throw error
        const status = ERROR_STATUS[error.code]
        record(index, { path, status })
        return { status, message: error.message }
      }
    }
  })
}

/** Notes what was stored for the activity log, in the order in which it was sent. */
function recorder(request: FastifyRequest): (index: number, entry: ChangedEntry) => void {
  const each = (request.each = [] as ChangedEntry[])
  const indices: number[] = []
  return (index, entry) => {
    const after = indices.findIndex((other) => other > index)
    const place = after === -1 ? indices.length : after
    indices.splice(place, 0, index)
    each.splice(place, 0, entry)
  }
}

/**
 * The whole of a small file, or a stream of a larger one, which has no known length.
 *
 * @throws the reason of the signal
 */
async function receive(
  file: MultipartFile['file'],
  signal: AbortSignal,
): Promise<{ readonly body: Readable; readonly length: number | undefined }> {
  const chunks: Buffer[] = []
  let length = 0
  const stop = (): void => void file.destroy(signal.reason as Error)
  signal.throwIfAborted()
  signal.addEventListener('abort', stop)
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > SMALL) return { body: Readable.from(both(chunks, file)), length: undefined }
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return { body: Readable.from(chunks, { objectMode: false }), length }
}

async function* both(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield* first
  yield* rest
}

/** The path of a file, in no unusual form. */
function isPlain(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/** @returns nanoseconds since 1970. @throws INVALID_INPUT */
function timeOf(seconds: string): bigint {
  return parseSeconds(seconds) ?? fail('INVALID_INPUT', '"modified" must be seconds since 1970, in the years 0 to 9999')
}
