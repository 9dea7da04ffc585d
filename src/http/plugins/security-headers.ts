import type { FastifyInstance, FastifyReply } from 'fastify'

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache, no-store, must-revalidate',
}

/** Sets default headers for all replies; routes may override them. */
export function securityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void setSecurityHeaders(reply)
    done()
  })
}

/** For replies that bypass the hooks. */
export function setSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers(COMMON_HEADERS)
}

/** For shares, whose address is a secret: caches, linked sites and search engines must not learn it. */
export const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
