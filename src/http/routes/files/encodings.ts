import type { FastifyInstance } from 'fastify'
import { detectEncodings } from '../../../api/files/encodings.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'

export function encodingRoutes(app: FastifyInstance, { texts }: Context): void {
  mount(app, detectEncodings, async ({ body, client, signal }) => {
    const sample = Uint8Array.from(Buffer.from(body.sample, 'base64'))
    // Anyone may ask, so addresses take turns: none keeps the others out.
    return { encodings: await texts.likely(sample, { signal, owner: client.address }) }
  })
}
