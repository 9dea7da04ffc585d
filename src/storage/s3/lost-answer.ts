import { createHash } from 'node:crypto'
import { isFilemgrError } from '../../domain/errors.ts'
import type { StoredObject } from './stored-object.ts'

/** Looks at what has the key now, and judges whether the request has stored it. */
interface Trace {
  readonly find: () => Promise<StoredObject | undefined>
  readonly isOurs: (found: StoredObject) => boolean
}

/**
 * Sends a request that stores an object on a condition. When its answer is lost, the SDK sends it again, and the server refuses
 * that because the first one has taken effect: others would be said to have been faster, and what was stored to be missing.
 *
 * @returns the ETag of the object
 */
export async function despiteLostAnswer(request: () => Promise<string>, { find, isOurs }: Trace): Promise<string> {
  try {
    return await request()
  } catch (error) {
    if (!isRefusedRepetition(error)) throw error
    const found = await find().catch(() => undefined)
    if (found === undefined || !isOurs(found)) throw error
    return found.etag
  }
}

/** 404: a multipart upload is gone once it is complete. */
function isRefusedRepetition(error: unknown): boolean {
  if (!isFilemgrError(error, 'PRECONDITION_FAILED', 'NOT_FOUND')) return false
  const { $metadata } = (error.cause ?? {}) as { readonly $metadata?: { readonly attempts?: number } }
  return ($metadata?.attempts ?? 1) > 1
}

/** The ETag that most servers give an object of one request. */
export function etagOf(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}

/** The ETag that most servers give an object of several parts. @param etags of the parts, in their order */
export function etagOfParts(etags: readonly string[]): string {
  return `${etagOf(Buffer.from(etags.join(''), 'hex'))}-${etags.length}`
}
