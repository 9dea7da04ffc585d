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
    // What is longer is no form of a browser, and reading on behind it has kept parsers busy for ever (RFC 2046, 5.1.1).
    if (!BOUNDARY.test(request.statedType ?? '')) {
      fail('INVALID_INPUT', 'the form needs a boundary of 1 to 70 characters in its Content-Type')
    }
    let count = 0
    try {
      // A part whose type says that it is a file may lack the name of one, whatever the types say.
      for await (const { filename = '', file } of request.files()) {
        await branding.put(actor, filename, file)
        count += 1
      }
    } catch (error) {
      // The parser of forms throws plain errors without a code.
      if (!(error instanceof Error) || error.constructor !== Error || 'code' in error) throw error
      fail('INVALID_INPUT', `the form is broken: ${error.message}`)
    }
    if (count === 0) fail('INVALID_INPUT', 'the form holds no file')
    return await branding.list(actor)
  })
}

/**
 * Forms with files, for the few routes of administrators that take them. Parts come as streams, one after the other, and
 * nothing is kept in files of its own. Every number has a bound (CVE-2023-25576), and so has each name.
 */
export async function multipartBodies(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    // One byte more than a file may have: who counts then says which file it was.
    limits: { fieldNameSize: 100, fields: 0, files: 20, parts: 20, headerPairs: 16, fileSize: MAX_PICTURE_BYTES + 1 },
    throwFileSizeLimit: false,
  })
  app.addContentTypeParser('*', async () => undefined)
  app.addHook('onRequest', async ({ raw, statedType }) => {
    if (statedType !== undefined) raw.headers['content-type'] = statedType
  })
}
