import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { LARGEST_PICTURE } from '../../domain/branding.ts'

/**
 * Forms with files, for the few routes of administrators that take them. Parts come as streams, one after the other, and
 * nothing is kept in files of its own. Every number has a bound (CVE-2023-25576), and so has each name.
 */
export const multipartBodies = fastifyPlugin(async (app: FastifyInstance) => {
  await app.register(multipart, {
    // One byte more than a file may have: who counts then says which file it was.
    limits: { fieldNameSize: 100, fields: 0, files: 20, parts: 20, headerPairs: 16, fileSize: LARGEST_PICTURE + 1 },
    throwFileSizeLimit: false,
  })
  app.addContentTypeParser('*', async () => undefined)
  app.addHook('onRequest', async ({ raw, statedType }) => {
    if (statedType !== undefined) raw.headers['content-type'] = statedType
  })
})
