import { parseSeconds } from '../../domain/upload.ts'

/**
 * The time that a client wants the file to keep, in milliseconds since 1970: seconds since 1970 under the name `mtime` in
 * `Upload-Metadata`, as sync clients send it. What is none is passed over.
 */
export function modifiedOfMetadata(metadata: string | undefined): number | undefined {
  for (const entry of metadata?.split(',') ?? []) {
    const [name, value = ''] = entry.trim().split(' ')
    if (name === 'mtime') return parseSeconds(Buffer.from(value, 'base64').toString('latin1'))
  }
  return undefined
}
