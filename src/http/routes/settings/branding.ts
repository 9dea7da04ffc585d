import type { FastifyInstance } from 'fastify'
import { uploadBranding } from '../../../api/settings/branding.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../domain/errors.ts'
import { mount } from '../../mount.ts'
import { formParts } from '../../protocol/forms.ts'
import { MAX_PICTURE_BYTES } from '../../../domain/settings/branding.ts'

/** One byte above the limit, so that the service notices and names the file in its error. */
const LIMITS = { fields: 0, files: 20, parts: 20, fileSize: MAX_PICTURE_BYTES + 1 }

export function brandingUploads(app: FastifyInstance, { services: { branding } }: Context): void {
  mount(app, uploadBranding, async ({ actor, request }) => {
    let count = 0
    for await (const part of formParts(request, { limits: LIMITS, throwFileSizeLimit: false })) {
      if (part.kind === 'field') continue
      await branding.put(actor, part.filename ?? '', part.file)
      count += 1
    }
    if (count === 0) fail('INVALID_INPUT', 'the form has no file')
    return await branding.list(actor)
  })
}
