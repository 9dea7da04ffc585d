import { foldForDisks } from '../../../domain/text/fold.ts'
import { at, hold, HOLD_FOLDER, type Location, textOf } from '../system/handle.ts'

/**
 * The same by whatever path a folder was reached, and on each machine that serves the disk. Without the number of the device,
 * which is another one on each machine: two disks may share a lock, and then one operation waits for a moment.
 */
export async function lockName({ folder, name }: Location): Promise<string> {
  const { ino } = await folder.identity()
  // Waiting needlessly costs less than asking the file system which names are one.
  return `${ino} ${foldForDisks(textOf(name))}`
}

/** Of a location and of each folder around it, from the inside out: also of those around the served folder. */
export async function lockNamesAround({ folder, name }: Location): Promise<readonly string[]> {
  const names: string[] = []
  const around = folder.realPath.split('/').filter((each) => each !== '')
  let here = folder.retain()
  for (const each of [name, ...around.toReversed().map((bytes) => Buffer.from(bytes, 'latin1'))]) {
    using child = here
    names.push(await lockName({ folder: child, name: each }))
    here = await hold(`${at(child).toString()}/..`, HOLD_FOLDER)
  }
  here[Symbol.dispose]()
  return names
}
