import type { FastifyInstance } from 'fastify'
import multipart from '@fastify/multipart'
import { listBranding, removeBranding, uploadBranding } from '../../api/server/branding.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'
import { mount } from '../mount.ts'
import { MAX_PICTURE_BYTES } from '../../domain/settings/branding.ts'

const BOUNDARY = /;\s*boundary=(?:"[^"]{1,70}"|[^";,\s]{1,70})\s*(?:;|$)/i

export function brandingRoutes(app: FastifyInstance, { services: { branding } }: Context): void {
  mount(app, listBranding, async ({ actor }) => await branding.list(actor))

  mount(app, removeBranding, async ({ actor, params }) => {
    await branding.remove(actor, params.name)
    return undefined
  })
}

export function brandingUploads(app: FastifyInstance, { services: { branding } }: Context): void {
  mount(app, uploadBranding, async ({ actor, request }) => {
    if (!request.isMultipart()) fail('UNSUPPORTED', 'send the files as multipart/form-data')
    // RFC 2046, 5.1.1 allows 70 characters. Longer boundaries have caused endless loops in parsers.
    if (!BOUNDARY.test(request.statedType ?? '')) {
      fail('INVALID_INPUT', 'the form needs a boundary of 1 to 70 characters in its Content-Type')
    }
    let count = 0
    try {
      // Despite its type, `filename` is missing for parts that have only the media type of a file.
      for await (const { filename = '', file } of request.files()) {
        await branding.put(actor, filename, file)
        count += 1
      }
    } catch (error) {
      // The form parser throws plain errors without a code.
      if (!(error instanceof Error) || error.constructor !== Error || 'code' in error) throw error
      fail('INVALID_INPUT', `the form is broken: ${error.message}`)
    }
    if (count === 0) fail('INVALID_INPUT', 'the form has no file')
    return await branding.list(actor)
  })
}

/**
 * Parses forms with files. Parts are streamed one after the other, without temporary files. Their number and sizes are limited:
 * endless parts would exhaust memory (CVE-2023-25576).
 */
export async function multipartBodies(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    // One byte above the limit, so that the service notices and names the file in its error.
    limits: { fieldNameSize: 100, fields: 0, files: 20, parts: 20, headerPairs: 16, fileSize: MAX_PICTURE_BYTES + 1 },
    throwFileSizeLimit: false,
  })
  app.addContentTypeParser('*', async () => undefined)
  app.addHook('onRequest', async ({ raw, statedType }) => {
    if (statedType !== undefined) raw.headers['content-type'] = statedType
  })
}
