import { dirname } from 'node:path'
import type { FolderPlace } from '../../domain/server/folder-place.ts'
import { unlessErrno } from '../../platform/files/error-code.ts'
import { type FolderLook, futureRealpath, lookAtFolder } from '../../platform/files/served-root.ts'
import { bounded } from './scope/run-operation.ts'
import { access, mountPointAround, realpath, stat } from './system/gated-calls.ts'
import { mountsIn, onDeviceOf, readTable } from './system/mounts.ts'

/** Checks a folder whose disk may not respond. @throws BUSY */
export async function lookAtRoot(path: string): Promise<FolderLook> {
  return await bounded(async () => await lookAtFolder(path, { access, realpath, stat }))
}

/** Where a folder is, or would be. @throws BUSY if its disk does not respond */
export async function whereFolderIs(location: string): Promise<FolderPlace> {
  return await bounded(async () => {
    const path = await futureRealpath(location, { realpath })
    const bytes = Buffer.from(path).toString('latin1')
    const onDevice = onDeviceOf(bytes, mountsIn(readTable()))
    return { path, mountPoint: mountPointAround(path), onDevice, identities: await identitiesAround(path) }
  })
}

async function identitiesAround(path: string): Promise<(string | undefined)[]> {
  const found = await unlessErrno(stat(path, { bigint: true }), 'ENOENT', 'ENOTDIR')
  const own = found && `${found.dev} ${found.ino}`
  return path === '/' ? [own] : [own, ...(await identitiesAround(dirname(path)))]
}
