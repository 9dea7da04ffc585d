import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  countItems,
  createResource,
  getRecursive,
  getResource,
  measureResource,
  removeResource,
  saveResource,
  transferResource,
} from '../../api/files.ts'
import type { Context } from '../../context.ts'
import { awaitJob } from '../answer-job.ts'
import { baseOf } from '../base-url.ts'
import { mount } from '../mount.ts'
import { jsonArray } from '../protocol/json-array.ts'
import { etagOf, expectationOf } from '../protocol/conditional.ts'
import { decodeAgain } from '../protocol/decode-again.ts'
import { lengthOf, modifiedOf } from '../protocol/upload-headers.ts'
import { sendJson, sendJsonParts, sendStream } from '../send.ts'
/** Describing resources. */
export function readingRoutes(app: FastifyInstance, { services, options }: Context): void {
  mount(app, getResource, async ({ actor, params, query, request, reply, signal }) => {
    const asked = {
      checksum: query.checksum,
      asBytes: request.headers['x-encoding'] === 'true',
      resolution: query.resolution === 'true',
    }
    await using answer = await services.files.describe(actor, `/${params['*']}`, asked, signal)
    if (answer.kind === 'folder') return await sendJsonParts(reply, answer.parts)
    if (answer.kind === 'bytes') {
      const { file } = answer
      void reply.headers({
        'content-type': 'application/octet-stream',
        'content-length': file.size,
        etag: etagOf(file),
      })
      return file.size === 0 ? await reply.send('') : await sendStream(reply, file.stream(0, file.size - 1))
    }
    if (answer.kind === 'job') {
      const job = await awaitJob(request, reply, answer.started, baseOf(options))
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
}

/** Uploads: the body is a file, whatever its Content-Type says. */
export function uploadRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, createResource, async ({ actor, params, query, request, reply, signal }) => {
    const upload = uploadOf(request, reply, signal)
    const written = await services.files.create(actor, `/${params['*']}`, {
      ...upload,
      override: query.override === 'true',
      onlyNew: request.headers['if-none-match']?.trim() === '*',
    })
    if (written !== undefined) tellWritten(reply, written)
    return undefined
  })

  mount(app, saveResource, async ({ actor, params, request, reply, signal }) => {
    const written = await services.files.save(actor, `/${params['*']}`, uploadOf(request, reply, signal))
    tellWritten(reply, written)
    return undefined
  })
}

function tellWritten(
  reply: FastifyReply,
  written: Parameters<typeof etagOf>[0] & { readonly linksParted?: true },
): void {
  void reply.header('etag', etagOf(written))
  if (written.linksParted) void reply.header('x-filemgr-links-parted', '1')
}

function uploadOf(request: FastifyRequest, reply: FastifyReply, signal: AbortSignal) {
  const modified = modifiedOf(request.headers)
  if (modified !== undefined) void reply.header('x-oc-mtime', 'accepted')
  return {
    body: request.raw,
    length: lengthOf(request.headers),
    modified,
    isExpected: expectationOf(request.headers['if-match']),
    signal,
  }
}

/** Copying, moving and deleting. */
export function transferRoutes(app: FastifyInstance, { services, options }: Context): void {
  const base = baseOf(options)

  mount(app, transferResource, async ({ actor, params, query, request, reply }) => {
    const started = await services.transfers.transfer(actor, `/${params['*']}`, {
      action: query.action ?? '',
      destination: decodeAgain(query.destination ?? ''),
      override: query.override === 'true',
      rename: query.rename === 'true',
    })
    if (started !== undefined && (await awaitJob(request, reply, started, base)) === undefined) return await reply
    return undefined
  })

  mount(app, removeResource, async ({ actor, params, query, request, reply }) => {
    const started = await services.transfers.remove(actor, `/${params['*']}`, query.trash === 'true')
    if (started !== undefined && (await awaitJob(request, reply, started, base)) === undefined) return await reply
    return await reply.code(204).type('text/plain; charset=utf-8').send()
  })
}
