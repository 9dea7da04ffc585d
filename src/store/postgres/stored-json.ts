import { markedText, unmarkedText } from '../../domain/files/name-text.ts'

/** An escape in JSON, or the character that begins a mark. */
const FOUND = /\\(?:u(dc[89a-f][0-9a-f])|[^])|\ufdd0/g

/** JSON for the database, which refuses lone surrogates: those that stand for bytes in a path are marked. */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value)
  return json.replace(FOUND, (found, code: string | undefined) => {
    if (code !== undefined) return markedText(String.fromCharCode(parseInt(code, 16)))
    return found.startsWith('\\') ? found : markedText(found)
  })
}

/** The reverse of `storedJson`. */
export function parseStored(json: string): unknown {
  return JSON.parse(unmarkedText(json))
}
