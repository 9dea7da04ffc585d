import type { FastifyInstance } from 'fastify'
import type { MultipartFile } from '@fastify/multipart'
import { createMany } from '../../../api/files/files.ts'
import type { ReplyOf } from '../../../api/operation.ts'
import type { Context } from '../../../context.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { parseSeconds } from '../../../domain/files/file-time.ts'
import { ERROR_STATUS } from '../../error-status.ts'
import { mount } from '../../mount.ts'
import { stopSignalOf } from '../../plugins/authentication.ts'
import { formParts } from '../../protocol/forms.ts'

const FILES = 100
const FILE_BYTES = 1024 * 1024
/** Each file may have two fields, of which the path is the longer one. */
const LIMITS = { fields: 2 * FILES, files: FILES, parts: 3 * FILES, fieldSize: 16 * 1024, fileSize: FILE_BYTES }

type Outcome = ReplyOf<typeof createMany>[number]

/** Many small files in one request, because each request costs browsers and slow connections more than such a file. */
export function smallUploadRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, createMany, async ({ actor, params, query, request }) => {
    const folder = `/${params['*']}`.replace(/\/+$/, '')
    const outcomes: Outcome[] = []
    request.created = []
    let fields: Record<string, string> = {}
    for await (const part of formParts(request, { limits: LIMITS, throwFileSizeLimit: false })) {
      if (part.kind === 'field') fields[part.name] = part.value
      else {
        const { path = part.filename ?? '', modified } = fields
        // The form parser has replaced bytes of the filename that are not UTF-8.
        const isGarbled = fields['path'] === undefined && path.includes('\ufffd')
        outcomes.push({ path, ...(await create(`${folder}/${path}`, part.file, { modified, isGarbled })) })
        fields = {}
        // Skip the rest of a refused file, since the next part comes after it.
        part.file.resume()
      }
    }
    if (outcomes.length === 0) fail('INVALID_INPUT', 'the form has no file')
    return outcomes

    /** A form may take long to arrive: once its sender is refused, or maintenance begins, nothing more is stored. */
    function requireNotEnded(): void {
      if (request.requestEnd?.error !== undefined) throw request.requestEnd.error
    }

    async function create(
      path: string,
      file: MultipartFile['file'],
      { modified, isGarbled }: { readonly modified: string | undefined; readonly isGarbled: boolean },
    ): Promise<Omit<Outcome, 'path'>> {
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
        const written = await services.files.create(actor, path, {
          body: file,
          override: query.override === 'true',
          isExpected,
          signal: stopSignalOf(request),
          ...(modified === undefined ? {} : { modified: timeOf(modified) }),
        })
        // What this file needed does not matter for the others.
        if (actor.kind === 'user') actor.passed.clear()
        request.created?.push({ path, effect: written?.replaced === true ? 'overwritten' : 'created', status: 200 })
        return { status: 200 }
      } catch (error) {
        // The client has gone, or its session has ended.
        if (!isFilemgrError(error) || error.code === 'CANCELLED' || error === request.requestEnd?.error) throw error
        const status = ERROR_STATUS[error.code]
        request.created?.push({ path, status })
        return { status, message: error.message }
      }
    }
  })
}

/** @returns nanoseconds since 1970. @throws INVALID_INPUT */
function timeOf(seconds: string): bigint {
  return parseSeconds(seconds) ?? fail('INVALID_INPUT', '"modified" must be seconds since 1970, in the years 0 to 9999')
}
