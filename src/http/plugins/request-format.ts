import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { fail } from '../../domain/errors.ts'

/** What form of a request is accepted, after it is known who asks and before its body is read. */
export const requestFormat = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorateRequest('statedType', undefined)
  app.addHook('onRequest', async (request) => {
    const { headers, raw } = request
    const encoding = headers['content-encoding'] ?? 'identity'
    // Unpacked, a small body could fill the memory or the disk.
    if (encoding !== 'identity') fail('UNSUPPORTED', 'send the body without a Content-Encoding')
    // The operation says what a body is. The framework would refuse types that it cannot read.
    request.statedType = headers['content-type']
    delete raw.headers['content-type']
  })
})
