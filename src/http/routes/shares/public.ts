import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../api/operation.ts'
import {
  downloadShared,
  getLink,
  getShared,
  getSharedPreview,
  getSharedSubtitles,
  selectShared,
} from '../../../api/shares/public.ts'
import type { Context } from '../../../context.ts'
import type { Visitor } from '../../../domain/accounts/actor.ts'
import { encodePath } from '../../../domain/files/name-text.ts'
import { cleanVirtualPath } from '../../../domain/files/virtual-path.ts'
import { systemRandom } from '../../../platform/security/random.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { fail } from '../../../domain/errors.ts'
import { type Call, mount } from '../../mount.ts'
import type { SharedDownload } from '../../../services/shares/limited-downloads.ts'
import { SELECTION_LIMIT, withQuery } from '../files/downloads.ts'
import { splitShared } from '../../protocol/caller.ts'
import { beginsDownload, sendDownload } from '../../send/download.ts'
import { sendPreview } from '../files/previews.ts'
import { sendJson, sendJsonParts } from '../../send/send.ts'
import { sendSubtitles } from '../files/subtitles.ts'

const VISIT = 'visit'

/** Not `Visit`, which every request of a visitor has. */
function visitCookieOf({ cookies }: FastifyRequest): string | undefined {
  const visit = cookies[VISIT]
  return visit !== undefined && /^[\w-]{20,24}$/.test(visit) ? visit : undefined
}

const WRONG_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The calls for visitors of shares, behind the guard. */
export function publicRoutes(
  app: FastifyInstance,
  {
    services: { arrivals, downloads, limitedDownloads, previews, sharedFiles, subtitles: service, visits },
    options,
  }: Context,
): void {
  /** Browsers get a cookie for the visit where downloads are limited, so that the parts of one download count once. */
  const beginVisit = (request: FastifyRequest, reply: FastifyReply, visitor: Visitor): void => {
    if (!limitedDownloads.isLimited(visitor) || visitCookieOf(request) !== undefined) return
    const path = `${baseOf(options)}/api/public/`
    const secure = request.protocol === 'https'
    void reply.setCookie(VISIT, systemRandom.token(16), { httpOnly: true, sameSite: 'lax', path, secure })
  }

  /** Call it before the bytes of a file are sent. @param fetched by default a file that the browser shows */
  const admit = async (
    { visit, request, isHead }: Pick<Call<typeof downloadShared>, 'visit' | 'request' | 'isHead'>,
    path: string,
    fetched: Partial<Pick<SharedDownload, 'shown' | 'visit'>> = {},
  ): Promise<void> =>
    await limitedDownloads.admit(visit.visitor, {
      path: cleanVirtualPath(path),
      shown: true,
      isHead,
      visit: visitCookieOf(request),
      ...fetched,
    })

  mount(
    app,
    getShared,
    async ({ visit: { visitor, token }, params, signal, request, reply, isHead }) => {
      const { path } = splitShared(params['*'])
      const answer = await sharedFiles.describe(visitor, path, token, signal)
      beginVisit(request, reply, visitor)
      if (path === '/' && !isHead) {
        visits.count(visitor)
        request.effect = 'visited'
      }
      if (answer.kind === 'file') return await sendJson(reply, answer.resource)
      return await sendJsonParts(reply, answer.parts)
    },
    { noRedirect: true },
  )

  mount(
    app,
    downloadShared,
    async (call) => {
      const { params, query, request, reply, isHead } = call
      const { visitor } = call.visit
      const { path } = splitShared(params['*'])
      const inline = query.inline === 'true'
      const visit = visitCookieOf(request)
      // Each part would count.
      const isLimited = limitedDownloads.isLimited(visitor)
      if (visit === undefined && isLimited) delete request.headers.range
      await using download = await downloads.open(visitor, path, query, call)
      const shown = inline && download.kind === 'file'
      // At the path of an archive, others with other entries can be had.
      await admit(call, path, { shown, visit: download.kind === 'file' ? visit : undefined })
      const isWhole = !inline && !isHead && request.headers.range === undefined
      if (isWhole && (path === '/' || download.kind === 'file')) visits.count(visitor)
      const isFree = shown && !isLimited
      if (beginsDownload(request, isFree ? download.file.name : undefined)) request.effect = 'downloaded'
      const isWatched = limitedDownloads.isWatched(visitor)
      return await sendDownload(request, reply, download, { inline, wantsDirect: query.direct === 'true', isWatched })
    },
    { noRedirect: true },
  )

  mount(
    app,
    selectShared,
    async ({ visit: { visitor, token }, params, query, body }) => {
      const { path } = splitShared(params['*'])
      const selection = await downloads.select(visitor, path, body.files)
      const address = `${baseOf(options)}/api/public/dl/${encodePath(params['*'])}`
      return { address: withQuery(address, { selection, algo: query.algo, token }) }
    },
    { noRedirect: true, takesInput: true, bodyLimit: SELECTION_LIMIT },
  )

  mount(
    app,
    getSharedPreview,
    async (call) => {
      const { visit, params, query, request } = call
      const { path } = splitShared(params['*'])
      const maxSide = limitedDownloads.previewSide(visit.visitor)
      const format = { size: params.size, accept: request.headers.accept, maxSide }
      await using preview = await previews.open(visit.visitor, path, format)
      if (preview.kind === 'original') await admit(call, path)
      return await sendPreview(call, preview, query.inline === 'true')
    },
    { noRedirect: true },
  )

  mount(
    app,
    getSharedSubtitles,
    async (call) => {
      const { path } = splitShared(call.params['*'])
      await using subtitles = await service.open(call.visit.visitor, path)
      await admit(call, path)
      return await sendSubtitles(call, subtitles)
    },
    { noRedirect: true },
  )

  mount(
    app,
    getLink,
    ({ visit: { visitor, token }, params, request, reply, isHead }) => {
      if (splitShared(params['*']).path !== '/') fail('NOT_FOUND', 'there is no such link')
      const link = arrivals.link(visitor, token)
      beginVisit(request, reply, visitor)
      // A link that only receives files has no other request that counts as a visit.
      if (link.allows === 'upload' && !isHead) {
        visits.count(visitor)
        request.effect = 'visited'
      }
      return link
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
