import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { cleanedPath, plainRoute, splitTarget } from '../protocol/clean-path.ts'

/**
 * Sends addresses with "//", "." or "..", and routes that are escaped without need, to their plain form, before anybody is
 * asked who they are: after this hook one resource has one address, so that no rule, and nobody who reads the log, is walked
 * around by spelling (CVE-2026-25890).
 */
export const cleanAddresses = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook('onRequest', async (request, reply) => {
    const { path, query } = splitTarget(request.url)
    const cleaned = cleanedPath(path) ?? plainRoute(path, request.routeOptions.url)
    if (cleaned !== undefined) return await reply.code(301).header('location', `${cleaned}${query}`).send()
  })
})
