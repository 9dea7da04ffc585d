import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../api/operation.ts'
import { downloadShared, getShared, getSharedPreview } from '../../api/files/public.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'
import { splitShared } from '../protocol/caller.ts'
import { isFirstPart, sendDownload } from '../send/download.ts'
import { sendPreview } from './previews.ts'
import { sendJson, sendJsonParts } from '../send/send.ts'

const WRONG_METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The calls for visitors of shares, behind the guard. */
export function publicRoutes(
  app: FastifyInstance,
  { services: { downloads, previews, sharedFiles, visits } }: Context,
): void {
  mount(
    app,
    getShared,
    async ({ visit: { visitor, token }, params, signal, request, reply }) => {
      const { path } = splitShared(params['*'])
      const answer = await sharedFiles.describe(visitor, path, token, signal)
      if (path === '/') visits.count(visitor)
      if (path === '/') request.effect = 'visited'
      if (answer.kind === 'file') return await sendJson(reply, answer.resource)
      return await sendJsonParts(reply, answer.parts)
    },
    { noRedirect: true },
  )

  mount(
    app,
    downloadShared,
    async (call) => {
      const { params, query, request, reply } = call
      const { visitor } = call.visit
      const { path } = splitShared(params['*'])
      await using download = await downloads.open(visitor, path, query, call)
      const isWhole = query.inline !== 'true' && request.headers.range === undefined
      if (isWhole && (path === '/' || download.kind === 'file')) visits.count(visitor)
      if (isFirstPart(request)) request.effect = 'downloaded'
      return await sendDownload(request, reply, download, query.inline === 'true')
    },
    { noRedirect: true },
  )

  mount(
    app,
    getSharedPreview,
    async (call) => {
      const { visit, params, query, request } = call
      const { path } = splitShared(params['*'])
      const question = { size: params.size, accept: request.headers.accept }
      await using preview = await previews.open(visit.visitor, path, question)
      return await sendPreview(call, preview, query.inline === 'true')
    },
    { noRedirect: true },
  )

  const operation: Operation = getShared
  // For compatibility, these get 405 instead of 404; the guard sends it.
  app.route({
    method: [...WRONG_METHODS],
    url: getShared.path,
    config: { operation, access: 'share' },

    handler: (_, reply) => reply.code(405).send(),
  })
}
