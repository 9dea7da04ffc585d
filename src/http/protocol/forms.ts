import type { FastifyInstance, FastifyRequest } from 'fastify'
import multipart, { type FastifyMultipartBaseOptions, type MultipartFile } from '@fastify/multipart'
import { fail } from '../../domain/errors.ts'

const BOUNDARY = /;\s*boundary=(?:"[^"]{1,70}"|[^";,\s]{1,70})\s*(?:;|$)/i

/** A field, or a file with the name that it has in the form, if any. */
type FormPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly filename: string | undefined; readonly file: MultipartFile['file'] }

/** Lets the routes of `app` read forms with files (`formParts`). */
export async function multipartBodies(app: FastifyInstance): Promise<void> {
  await app.register(multipart)
  app.addContentTypeParser('*', async () => undefined)
  app.addHook('onRequest', async ({ raw, statedType }) => {
    if (statedType !== undefined) raw.headers['content-type'] = statedType
  })
}

/**
 * The parts of a multipart/form-data body, one after the other, without temporary files. Read each file to its end. Limit the
 * number and sizes of all parts: endless parts would exhaust memory (CVE-2023-25576).
 *
 * @throws UNSUPPORTED for another body, INVALID_INPUT for a broken one
 */
export async function* formParts(
  request: FastifyRequest,
  { limits, ...options }: FastifyMultipartBaseOptions,
): AsyncGenerator<FormPart, void, void> {
  if (!request.isMultipart()) fail('UNSUPPORTED', 'send the files as multipart/form-data')
  // RFC 2046, 5.1.1 allows 70 characters. Longer boundaries have caused endless loops in parsers.
  if (!BOUNDARY.test(request.statedType ?? ''))
    fail('INVALID_INPUT', 'the form needs a boundary of 1 to 70 characters in its Content-Type')
  try {
    const parts = request.parts({ ...options, limits: { fieldNameSize: 100, headerPairs: 16, ...limits } })
    for await (const part of parts) {
      if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) }
      // Despite its type, `filename` is missing for parts that have only the media type of a file.
      else yield { kind: 'file', filename: part.filename, file: part.file }
    }
  } catch (error) {
    // The form parser throws plain errors without a code.
    if (!(error instanceof Error) || error.constructor !== Error || 'code' in error) throw error
    fail('INVALID_INPUT', `the form is broken: ${error.message}`)
  }
}
