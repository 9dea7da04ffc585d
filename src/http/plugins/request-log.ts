import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { describeRefusal } from '../../platform/files/disk-refusal.ts'
import { addressOf } from '../protocol/caller.ts'
import { sentTarget } from '../protocol/request-path.ts'

/**
 * Logs each refused or failed request, without the query, which may contain tokens of old clients. A refused sign-in is logged
 * as "/api/login: 403 192.0.2.7 <nil>", which existing fail2ban filters match.
 */
export function requestLog(app: FastifyInstance, context: Context): void {
  const causes = new WeakMap<FastifyRequest, string>()
  // Before the reply ends: afterwards the daemon may stop, and close its log.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const { diskRefusal } = request
    if (diskRefusal === undefined) return done()
    describeRefusal(diskRefusal).then((cause) => {
      causes.set(request, cause)
      done()
    }, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode
    if (status < 400) return done()
    const path = loggedPath(sentTarget(request).path, request.method)
    const facts = {
      operation: request.routeOptions.config.operation?.id,
      method: request.method,
      status,
      address: addressOf(request),
      milliseconds: Math.round(reply.elapsedTime),
      token: request.actor?.kind === 'user' ? request.actor.token?.id : undefined,
      user: request.actor?.kind === 'user' ? request.actor.id : undefined,
      cause: causes.get(request),
    }
    context.log.warn(facts, `${path}: ${status} ${addressOf(request)} <nil>`)
    done()
  })
}

const CALLS = /(\/api\/(?:public\/(?:share|link|dl|subtitle|preview\/[^/]+)|shares)\/[^/]{4})[^/]+/
const SENDING = /(\/api\/public\/tus\/[^/]{1,4})[^/]*(\/[^/]{0,4})?.*/
const BEGUN = /(\/api\/shares\/[^/]{1,4})[^/]*(\/uploads\/[^/]{0,4}).*/
const REMOVAL = /(\/api\/share\/[^/]{4})[^/]+/
/** Also in the addresses of FileBrowser Quantum. */
const PAGE = /^((?:\/[^/]+)*?\/(?:share|public\/dl)\/[^/]{4})[^/]+/

/** Shortens secrets: the hash of a share opens the link, and the address of a file that a visitor sent removes the file. */
export function loggedPath(path: string, method: string): string {
  if (!path.includes('/api/')) return path.replace(PAGE, '$1…')
  if (SENDING.test(path)) return path.replace(SENDING, (_, hash: string, file = '') => `${hash}…${file && `${file}…`}`)
  if (BEGUN.test(path)) return path.replace(BEGUN, '$1…$2…')
  const cut = path.replace(CALLS, '$1…')
  return method === 'DELETE' ? cut.replace(REMOVAL, '$1…') : cut
}
