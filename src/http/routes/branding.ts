import type { FastifyInstance } from 'fastify'
import { listBranding, removeBranding, uploadBranding } from '../../api/branding.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'
import { mount } from '../mount.ts'

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
