import type { FastifyInstance, FastifyReply } from 'fastify'

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache, no-store, must-revalidate',
}

/** What every answer carries; routes that know better overwrite single ones. */
export function securityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => void setSecurityHeaders(reply))
}

/** Sets what every answer carries, for answers that pass the hooks by. */
export function setSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers(EVERYWHERE)
}

/** Links are secrets in an address: neither a cache nor the next site nor a search engine is to learn of them. */
export const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
