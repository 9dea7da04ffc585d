import type { Zip } from '../book/zip.ts'

/** Nested deeper, a document is not read: the attack is to exhaust the stack. */
export const MAX_DEPTH = 100

const PICTURES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
}

/** A file of an archive as XML; null if it is not there. @throws Error if it is damaged */
export async function readXml(zip: Zip, path: string): Promise<Element | null> {
  const text = await zip.text(path)
  if (text === undefined) return null
  const parsed = new DOMParser().parseFromString(text, 'application/xml')
  if (parsed.querySelector('parsererror') !== null) throw new Error(`${path} is damaged`)
  return parsed.documentElement
}

/** The value of an attribute, whatever the prefix of its namespace is. */
export function attribute(element: Element | null | undefined, name: string): string | undefined {
  return Array.from(element?.attributes ?? []).find(({ localName }) => localName === name)?.value
}

/** The elements inside with this name, whatever the prefix is. */
export function inside(element: Element | null | undefined, name: string): Element[] {
  return Array.from(element?.getElementsByTagNameNS('*', name) ?? [])
}

/** The child at the end of a path of names. */
export function child(element: Element | null | undefined, ...path: readonly string[]): Element | undefined {
  const [name, ...rest] = path
  if (name === undefined) return element ?? undefined
  const found = Array.from(element?.children ?? []).find(({ localName }) => localName === name)
  return found && child(found, ...rest)
}

/** A picture of an archive as an address that needs no request; undefined for one that browsers do not show. */
export async function pictureAddress(zip: Zip, path: string): Promise<string | undefined> {
  const type = PICTURES[path.split('.').at(-1)?.toLowerCase() ?? '']
  const content = type && (await zip.read(path))
  if (type === undefined || !content) return undefined
  const reader = new FileReader()
  const read = Promise.withResolvers<string>()
  reader.onload = () => read.resolve(typeof reader.result === 'string' ? reader.result : '')
  reader.onerror = () => read.reject(reader.error ?? new Error('The picture cannot be read.'))
  reader.readAsDataURL(new Blob([content], { type }))
  return await read.promise
}
