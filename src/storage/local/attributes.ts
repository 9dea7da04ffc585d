import { getAttribute, listAttributes, removeAttribute, setAttribute } from './gated-calls.ts'
import { at } from './handle.ts'
import type { Location } from './tree/location.ts'

/** Rights of a program and checksums of its bytes must not pass to other bytes; the label of a file says what it is for. */
const NOT_COPIED = /^security\.(?!selinux$)/

/**
 * Gives a file the extended attributes of the one that it replaces, access lists among them, and takes away what it has from
 * its folder beyond them. Of what the disk does not allow nothing is said: the bytes count for more.
 */
export async function copyAttributes(from: Location, to: Location): Promise<void> {
  const [source, target] = [pathOf(from), pathOf(to)]
  if (source === undefined || target === undefined) return
  const listed = async (path: string) => await listAttributes(path).catch((): string[] => [])
  const [wanted, present] = await Promise.all([listed(source), listed(target)])
  const isOurs = (name: string) => !NOT_COPIED.test(name)
  const copy = async (name: string) => {
    const value = await getAttribute(source, name)
    if (value !== null) await setAttribute(target, name, value)
  }
  const drop = async (name: string) => await removeAttribute(target, name)
  await Promise.allSettled([
    ...wanted.filter(isOurs).map(copy),
    ...present.filter((name) => isOurs(name) && !wanted.includes(name)).map(drop),
  ])
}

/** These calls take text only; a link of the last name is not followed. */
function pathOf({ folder, name }: Location): string | undefined {
  const path = at(folder, name)
  if (typeof path === 'string') return path
  return path.equals(Buffer.from(path.toString())) ? path.toString() : undefined
}
