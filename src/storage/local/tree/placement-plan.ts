import { constants } from 'node:fs'
import { parseSteps, PLAN, type Step } from '../../placement.ts'
import { statsOf, syncFolder } from '../system/disk.ts'
import { close, fdatasync, open, read, unlink, write } from '../system/gated-calls.ts'
import { at, type Handle } from '../system/handle.ts'
import { createPrivateFile } from '../system/new-entry.ts'
import { errnoCode } from '../system/os-error.ts'

export interface PlacementPlan {
  readonly staged: Handle
  readonly steps: readonly Step[]
  /** When the plan was written, by the clock of the disk, in nanoseconds since 1970: what changed later was changed by others. */
  readonly planned: bigint
}

const { O_NOFOLLOW, O_RDONLY } = constants

/** Durable when it resolves. @returns `planned` */
export async function writePlan(staged: Handle, steps: readonly Step[]): Promise<bigint> {
  const bytes = Buffer.from(JSON.stringify(steps))
  const fd = await createPrivateFile({ folder: staged, name: PLAN })
  try {
    for (let done = 0; done < bytes.length;)
      done += (await write(fd, bytes, done, bytes.length - done, done)).bytesWritten
    await fdatasync(fd)
    const { ctimeNs } = await statsOf({ fd })
    await syncFolder(staged)
    return ctimeNs
  } catch (error) {
    await unlink(at(staged, PLAN))
    throw error
  } finally {
    await close(fd)
  }
}

/** Undefined if there is none, or only a part of one: nothing has been placed then. */
export async function readPlan(staged: Handle): Promise<PlacementPlan | undefined> {
  let fd: number
  try {
    fd = await open(at(staged, PLAN), O_RDONLY | O_NOFOLLOW)
  } catch (error) {
    if (errnoCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const { size, ctimeNs } = await statsOf({ fd })
    const bytes = Buffer.alloc(Number(size))
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await read(fd, bytes, done, bytes.length - done, done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    const steps = parseSteps(bytes.toString('utf8'))
    return steps && { staged, steps, planned: ctimeNs }
  } finally {
    await close(fd)
  }
}
