import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { cleanedPath, plainRoute, splitTarget } from '../protocol/request-path.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'

/**
 * Sends addresses with "//", "." or "..", and routes that are escaped without need, to their plain form, before
 * authentication: after this hook one resource has one address, so that no rule and no reader of the log is misled
 * around by spelling (CVE-2026-25890).
 */
export function cleanAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { path, query } = splitTarget(request.url)
    const cleaned = cleanedPath(path) ?? plainRoute(path, request.routeOptions.url)
    if (cleaned !== undefined) return await reply.code(301).header('location', `${cleaned}${query}`).send()
  })
}

const ADVICE = 'open it by its IP address or as localhost, or start filemgr with --no-auth-remote'

/**
 * A request that names two hosts is refused everywhere: a proxy may judge by one of them and this server by the other. Where
 * nobody signs in and only this machine may ask, a page of another site could have its own name lead here (DNS
 * rebinding): the browser takes filemgr for a part of that site then.
 */
export function knownHosts(app: FastifyInstance, context: Context): void {
  const { options, services } = context
  const isKnown = (name: string) => /^(.+\.)?localhost\.?$/.test(name) || isIP(name) !== 0 || name === options.address

  app.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.rawHeaders.filter(isHostName).length > 1) {
      return await reply.code(400).type('text/plain; charset=utf-8').send('400 Bad Request (two Host headers)\n')
    }
    const { host } = raw.headers
    if (host === undefined || options.noAuthRemote || options.socket !== '') return
    if (services.auth.method() !== 'noauth' || isKnown(nameOf(host))) return
    await reply.code(421).type('text/plain; charset=utf-8').send(`421 Misdirected Request (${ADVICE})\n`)
  })
}

/** Without the port, and an IPv6 address without its brackets. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}

/** Names and values of headers alternate. */
function isHostName(text: string, index: number): boolean {
  return index % 2 === 0 && text.toLowerCase() === 'host'
}

/** Checks the form of a request, after authentication and before its body is read. */
export function requestFormat(app: FastifyInstance): void {
  app.decorateRequest('statedType', undefined)
  app.addHook('onRequest', async (request) => {
    const { headers, raw } = request
    const encoding = headers['content-encoding'] ?? 'identity'
    // Unpacked, a small body could fill the memory or the disk.
    if (encoding !== 'identity') fail('UNSUPPORTED', 'send the body without a Content-Encoding')
    // The operation declares the type of its body. The framework would refuse types that it cannot parse.
    request.statedType = headers['content-type']
    delete raw.headers['content-type']
  })
}
