import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { cleanedPath, plainRoute, restoreParams, sentTarget } from '../protocol/request-path.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'

/**
 * Redirects addresses with "//", "." or "..", and routes with unnecessary escapes, to their normalized form, before
 * authentication. After this hook each resource has one address, so that no alternative spelling bypasses a rule or misleads a
 * reader of the log (CVE-2026-25890).
 */
export function cleanAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    restoreParams(request.params)
    const { path, query } = sentTarget(request)
    const cleaned = cleanedPath(path) ?? plainRoute(path, request.routeOptions.url)
    if (cleaned === undefined) done()
    else void reply.code(301).header('location', `${cleaned}${query}`).send()
  })
}

const ADVICE = 'open it by its IP address or as localhost, or start filemgr with --no-auth-remote'

/**
 * Refuses requests with two Host headers, of which a proxy may check one and this server use the other. If sign-in is disabled
 * for local use, it also refuses foreign host names: another site could point its own name to this machine (DNS rebinding), and
 * the browser would treat filemgr as part of that site.
 */
export function knownHosts(app: FastifyInstance, context: Context): void {
  const { options, services } = context
  const isKnown = (name: string) => /^(.+\.)?localhost\.?$/.test(name) || isIP(name) !== 0 || name === options.address

  const isForeign = (host: string | undefined) => {
    if (host === undefined || options.noAuthRemote || options.socket !== '') return false
    return services.auth.method() === 'noauth' && !isKnown(nameOf(host))
  }

  app.addHook('onRequest', ({ raw }, reply, done) => {
    const refuse = (status: number, text: string) =>
      void reply.code(status).type('text/plain; charset=utf-8').send(text)
    if (raw.rawHeaders.filter(isHostHeader).length > 1) refuse(400, '400 Bad Request (two Host headers)\n')
    else if (isForeign(raw.headers.host)) refuse(421, `421 Misdirected Request (${ADVICE})\n`)
    else done()
  })
}

/** Removes the port and the brackets of an IPv6 address. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}

/** For `rawHeaders`, in which names and values alternate. */
function isHostHeader(text: string, index: number): boolean {
  return index % 2 === 0 && text.toLowerCase() === 'host'
}

/** Refuses bodies that this server would misread, after authentication and before anything is read. */
export function requestFormat(app: FastifyInstance): void {
  app.decorateRequest('statedType', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, raw } = request
    const encoding = headers['content-encoding'] ?? 'identity'
    // Decompression bomb: a small compressed body could fill the memory or the disk.
    if (encoding !== 'identity') fail('UNSUPPORTED', 'send the body without a Content-Encoding')
    // A part of a file would be taken for all of it, and replace the rest (RFC 9110, section 14.5).
    if (headers['content-range'] !== undefined)
      fail('INVALID_INPUT', 'Content-Range is not supported; send the whole file, or its parts by tus to /api/tus')
    const { operation, access } = request.routeOptions.config
    const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true
    // The form would become the content of the file. Backups are sent as forms, too.
    if (isForm && operation?.bodyKind === 'bytes' && access !== 'admin')
      fail('UNSUPPORTED', 'send the bytes of one file as the body, as curl -T does, or a form to /api/upload', {
        explained: true,
      })
    // Hidden from the framework, which would refuse types that it cannot parse: the operation declares what its body is.
    request.statedType = headers['content-type']
    delete raw.headers['content-type']
    done()
  })
}
