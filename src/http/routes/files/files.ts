import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  createResource,
  saveResource,
  removeResource,
  transferResource,
  planRenames,
  renameMany,
} from '../../../api/files/files-changes.ts'
import { countItems, getFolderSizes, getRecursive, getResource, measureResource } from '../../../api/files/files.ts'
import type { Context } from '../../../context.ts'
import { awaitJob } from '../../send/await-job.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { mount } from '../../mount.ts'
import { etagOf, expectationOf } from '../../send/conditional.ts'
import { sendJson, sendJsonParts, sendStream } from '../../send/send.ts'
import { fail } from '../../../domain/errors.ts'
import { isTimeHeld, parseSeconds } from '../../../domain/files/file-time.ts'
import { decodeAgain } from '../../protocol/request-path.ts'

export function fileRoutes(app: FastifyInstance, { services, options }: Context): void {
  const base = baseOf(options)

  mount(app, getResource, async (call) => {
    const { actor, params, query, request, reply } = call
    const requested = {
      checksum: query.checksum,
      asBytes: request.headers['x-encoding'] === 'true',
      resolution: query.resolution === 'true',
    }
    const answer = await services.files.describe(actor, `/${params['*']}`, requested, call)
    if (answer.kind === 'folder') return await sendJsonParts(reply, answer.parts)
    if (answer.kind === 'bytes') {
      await using file = answer.file
      void reply.headers({
        'content-type': 'application/octet-stream',
        'content-length': file.size,
        etag: etagOf(file),
      })
      return file.size === 0 ? await reply.send('') : await sendStream(reply, file.stream(0, file.size - 1))
    }
    if (answer.kind === 'job') {
      const job = await awaitJob(request, reply, answer.started, base)
      return job === undefined ? await reply : await sendJson(reply, { ...answer.resource, checksums: job.checksums })
    }
    if (answer.source !== undefined) void reply.header('etag', etagOf(answer.source))
    return await sendJson(reply, answer.resource)
  })

  mount(app, getRecursive, async ({ actor, params, reply, signal }) => {
    const found = services.files.walk(actor, `/${params['*']}`, signal)
    return await sendJsonParts(reply, jsonArray(found))
  })

  mount(app, countItems, async ({ actor, params }) => await services.files.count(actor, `/${params['*']}`))

  mount(app, measureResource, async ({ actor, params, signal }) => {
    return await services.files.measure(actor, `/${params['*']}`, signal)
  })

  mount(app, getFolderSizes, async ({ actor, params, query }) => {
    const asked = { measure: query.measure === 'true', notable: query.notable === 'true' }
    return await services.folderSizes.of(actor, `/${params['*']}`, asked)
  })

  mount(app, transferResource, async ({ actor, params, query, request, reply }) => {
    const started = await services.transfers.transfer(actor, `/${params['*']}`, {
      action: query.action ?? '',
      destination: decodeAgain(query.destination ?? ''),
      override: query.override === 'true',
      rename: query.rename === 'true',
    })
    request.effect = query.action === 'copy' ? 'copied' : 'moved'
    if (started !== undefined && (await awaitJob(request, reply, started, base)) === undefined) return await reply
    return undefined
  })

  mount(app, removeResource, async ({ actor, params, query, request, reply }) => {
    const started = await services.transfers.remove(actor, `/${params['*']}`, query.trash === 'true')
    request.effect = query.trash === 'true' ? 'trashed' : 'deleted'
    if (started !== undefined && (await awaitJob(request, reply, started, base)) === undefined) return await reply
    return await reply.code(204).type('text/plain; charset=utf-8').send()
  })

  mount(
    app,
    planRenames,
    async ({ actor, params, body }) => await services.renames.plan(actor, `/${params['*']}`, body),
  )

  mount(app, renameMany, async ({ actor, params, body, request, reply }) => {
    const answer = await services.renames.run(actor, `/${params['*']}`, body)
    request.effect = 'moved'
    if (answer.kind === 'done') return answer.outcome
    return (await awaitJob(request, reply, answer.started, base))?.renames ?? (await reply)
  })
}

/** Uploads: the body is a file, whatever its Content-Type says. */
export function uploadRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, createResource, async ({ actor, params, query, request, reply, signal }) => {
    const upload = uploadOf(request, signal)
    const written = await services.files.create(actor, `/${params['*']}`, {
      ...upload,
      override: query.override === 'true',
      onlyNew: request.headers['if-none-match']?.trim() === '*',
    })
    request.effect = written?.replaced === true ? 'overwritten' : 'created'
    if (written !== undefined) setWrittenHeaders(reply, written, upload.modified)
    return undefined
  })

  mount(app, saveResource, async ({ actor, params, request, reply, signal }) => {
    const upload = uploadOf(request, signal)
    const written = await services.files.put(actor, `/${params['*']}`, upload)
    request.effect = written.replaced ? 'overwritten' : 'created'
    setWrittenHeaders(reply, written, upload.modified)
    return undefined
  })
}

function setWrittenHeaders(
  reply: FastifyReply,
  written: Parameters<typeof etagOf>[0] & { readonly linksParted?: true },
  modified: bigint | undefined,
): void {
  void reply.header('etag', etagOf(written))
  // Some disks cannot hold every time, and take the nearest one that they can.
  if (modified !== undefined && isTimeHeld(modified, written.modified)) void reply.header('x-oc-mtime', 'accepted')
  if (written.linksParted) void reply.header('x-filemgr-links-parted', '1')
}

function uploadOf(request: FastifyRequest, signal: AbortSignal) {
  return {
    body: request.raw,
    length: lengthOf(request.headers),
    modified: modifiedOf(request.headers),
    isExpected: expectationOf(request.headers['if-match']),
    signal,
  }
}

/** Encodes a JSON array while its items arrive. No batch is empty. */
async function* jsonArray(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  let start = '['
  for await (const batch of batches) {
    yield Buffer.from(start + JSON.stringify(batch).slice(1, -1))
    start = ','
  }
  yield Buffer.from(start === '[' ? '[]' : ']')
}

/** Length of the body in bytes, if known. */
function lengthOf({ 'content-length': length }: IncomingHttpHeaders): number | undefined {
  return length === undefined ? undefined : Number(length)
}

/**
 * The file time in nanoseconds since 1970, from the header `X-OC-Mtime` in seconds, which rclone and ownCloud clients send.
 *
 * @throws INVALID_INPUT
 */
function modifiedOf(headers: IncomingHttpHeaders): bigint | undefined {
  const text = headers['x-oc-mtime']
  if (text === undefined) return undefined
  const modified = typeof text === 'string' ? parseSeconds(text) : undefined
  return modified ?? fail('INVALID_INPUT', 'X-OC-Mtime must be seconds since 1970, in the years 0 to 9999')
}
