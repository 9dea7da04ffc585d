import { decodeText } from '../../domain/text/text-codec.ts'

/** A value of a header: UTF-8, or Windows-1252 from old programs. Never both, so that a wrong password counts once. */
export function headerText(bytes: Uint8Array): string {
  return decodeText(bytes, 'utf-8') ?? decodeText(bytes, 'windows-1252') ?? ''
}
