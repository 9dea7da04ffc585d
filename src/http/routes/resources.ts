import type { FastifyInstance } from 'fastify'
import { createResource, getRecursive, getResource } from '../../api/files.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'
import { jsonArray } from '../protocol/json-array.ts'
import { etagOf } from '../protocol/conditional.ts'
import { sendJson, sendJsonParts, sendStream } from '../send.ts'

/** Describing resources. */
export function readingRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getResource, async ({ actor, params, query, request, reply, signal }) => {
    const asked = { checksum: query.checksum, asBytes: request.headers['x-encoding'] === 'true' }
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
    if (answer.source !== undefined) void reply.header('etag', etagOf(answer.source))
    return await sendJson(reply, answer.resource)
  })

  mount(app, getRecursive, async ({ actor, params, reply, signal }) => {
    const found = services.files.walk(actor, `/${params['*']}`, signal)
    return await sendJsonParts(reply, jsonArray(found))
  })
}

/** Uploads: the body is a file, whatever its Content-Type says. */
export function uploadRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, createResource, async ({ actor, params, query, request, reply, signal }) => {
    const length = request.headers['content-length']
    const written = await services.files.create(actor, `/${params['*']}`, {
      body: request.raw,
      length: length === undefined ? undefined : Number(length),
      override: query.override === 'true',
      signal,
    })
    if (written !== undefined) void reply.header('etag', etagOf(written))
    return undefined
  })
}
