import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { LOGO, STYLES } from '../../domain/settings/branding.ts'
import { decodeName } from '../../domain/files/name-text.ts'
import { MAINTENANCE_HEADER, SHELL_HEADER } from '../../domain/page-contract.ts'
import type { ClientConfig } from '../../domain/settings/client-config.ts'
import { baseOf } from '../../domain/server/server-options.ts'
import { pathBelow, sentTarget } from '../protocol/request-path.ts'
import { clientConfigOf } from './client-config.ts'
import { tagsOfLink } from './link-tags.ts'
import { movedLink } from './quantum-links.ts'
import { fillPage, type LinkTags, pagePolicy } from './fill-page.ts'
import { PRIVATE } from '../plugins/security-headers.ts'
import { tokenOf } from '../protocol/caller.ts'

const NOT_BUILT_PAGE = 'The page has not been built yet. Run "npm run build" and start filemgr again.\n'

export interface NotFoundOptions {
  readonly context: Context
  /** index.html before it is filled, if it was built. */
  readonly template: string | undefined
}

/** Handles addresses without a route: a GET or HEAD gets the page, which has its own router; everything else gets 404. */
export function notFound(app: FastifyInstance, { context, template }: NotFoundOptions): void {
  const base = baseOf(context.options)

  app.setNotFoundHandler(async (request, reply) => {
    const { path, query } = sentTarget(request)
    const below = pathBelow(base, path)
    if (below === '' && base !== '') return await reply.code(301).header('location', `${base}/${query}`).send()
    const moved = below === undefined || !isRead(request.method) ? undefined : movedLink(below, query)
    if (moved !== undefined) {
      context.services.visits.requireLink(moved.hash)
      return await reply.code(302).headers(PRIVATE).header('location', `${base}${moved.address}`).send()
    }
    if (below === '/static') return await sendText(reply, 404, '404 page not found\n')
    const isPage = isRead(request.method) && below !== undefined && !isReserved(below)
    if (!isPage) return await sendText(reply, 404, '404 Not Found\n')
    if (template === undefined) return await sendText(reply, 503, NOT_BUILT_PAGE)
    const token = tokenOf(request)
    const { auth, branding, maintenance, previews } = context.services
    const user = token === undefined ? undefined : await auth.signedInUser(token)
    const refusal = maintenance.refusalOf(user)
    if (refusal !== undefined) {
      void reply.header(MAINTENANCE_HEADER, '1')
      // Administrators sign in at /login, even behind a proxy that shows its own page for 503.
      if (below !== '/login') void reply.code(503).header('retry-after', refusal.details.retryAfter)
    }
    const [hasStyles, hasLogo, showsVideos, showsPdf] = await Promise.all([
      branding.has(STYLES),
      branding.has(LOGO),
      previews.shows('mov'),
      previews.shows('pdf'),
    ])
    const facts = { cookieSession: user !== undefined, hasStyles, hasLogo, showsVideos, showsPdf }
    const config = clientConfigOf(context, facts)
    const link = await tagsOfLink(context, request, config)
    if (link !== undefined) void reply.headers(PRIVATE)
    return await sendPage(reply, template, config, link)
  })
}

/** Programs, not people, open addresses with these beginnings: to them, the page would look like success. */
const FOR_PROGRAMS = /^\/(api|static|public|swagger|openapi|health|metrics|dav|webdav|graphql|\.well-known)([/.]|$)/i

/** @param path percent-encoded */
function isReserved(path: string): boolean {
  return FOR_PROGRAMS.test(decodeName(path))
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(text)
}

function sendPage(reply: FastifyReply, template: string, config: ClientConfig, link?: LinkTags): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  void reply
    .header('content-security-policy', pagePolicy(nonce, config.ReCaptchaHost, config.BucketOrigins))
    .header(SHELL_HEADER, '1')
    .type('text/html; charset=utf-8')
  return reply.send(fillPage(template, config, nonce, link))
}
