import { fail } from '../domain/errors.ts'

/** If-Match of RFC 9110: a list of tags, or "*" for any state. @throws PRECONDITION_FAILED */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes('*') || tags.includes(etag)) return
  fail('PRECONDITION_FAILED', 'this was changed meanwhile; load it again')
}
