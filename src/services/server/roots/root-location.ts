import { isAbsolute, resolve } from 'node:path'
import { fail, unlessFails } from '../../../domain/errors.ts'
import { isBucketUrl, parseBucketUrl } from '../../../domain/server/addresses.ts'
import { type FolderPlace, isAround } from '../../../domain/server/folder-place.ts'
import type { FolderLook } from '../../../platform/files/served-root.ts'

/** A root that there is already. */
export interface OtherRoot {
  readonly name: string
  readonly location: string
}

export interface LocationDeps {
  /** The daemon's own files: whoever could change them would be the operator. */
  readonly protectedPaths: () => readonly string[]
  /** @throws UNAVAILABLE if the bucket cannot be listed, saying why */
  readonly checkBucket: (location: string) => Promise<unknown>
  /** @throws BUSY if the disk does not respond */
  readonly lookAtRoot: (path: string) => Promise<FolderLook>
  /** @throws BUSY if the disk does not respond */
  readonly whereFolderIs: (path: string) => Promise<FolderPlace>
}

interface Wanted {
  readonly location: string
  readonly readOnly: boolean
  readonly others: readonly OtherRoot[]
}

/**
 * Checks that a folder or bucket can be a root, without changing anything in it.
 *
 * @throws INVALID_INPUT, saying what to do; CONFLICT if it is one already
 */
export async function requireUsableLocation(wanted: Wanted, deps: LocationDeps): Promise<void> {
  if (isBucketUrl(wanted.location)) await requireUsableBucket(wanted, deps)
  else await requireUsableFolder(wanted, deps)
}

/**
 * Where the disk of a root must be mounted; empty if it is the disk of the system, or a bucket.
 *
 * @param given what the operator says; undefined to find it out
 * @throws INVALID_INPUT
 */
export async function mountPointOf(location: string, given: string | undefined, deps: LocationDeps): Promise<string> {
  if (given === '') return ''
  const refuseGiven = (problem: string) => fail('INVALID_INPUT', `${given} ${problem}`, { field: 'mountPoint' })
  if (isBucketUrl(location)) return given === undefined ? '' : refuseGiven('is no mount point of a bucket')
  if (given !== undefined && !isAbsolute(given)) refuseGiven('is no whole path: give one such as /mnt/disk')
  const place = await deps.whereFolderIs(location)
  if (given === undefined) return place.mountPoint === '/' ? '' : place.mountPoint
  const mountPoint = await deps.whereFolderIs(given)
  if (!isAround(mountPoint, place)) refuseGiven(`does not contain ${location}`)
  return mountPoint.path
}

/** Whether a location is one of some folders and buckets, or in one of them. */
export async function liesInOneOf(places: readonly string[], location: string, deps: LocationDeps): Promise<boolean> {
  const wanted = await placeOf(location, deps)
  for (const place of places) if (contains(await placeOf(place, deps), wanted)) return true
  return false
}

async function requireUsableFolder({ location, readOnly, others }: Wanted, deps: LocationDeps): Promise<void> {
  if (!isAbsolute(location))
    refuse(`"${location}" is no whole path: give one such as /srv/photos, or a bucket as s3://bucket/prefix`)
  const found = await deps.lookAtRoot(location)
  if ('problem' in found) refuse(`${location} ${found.problem}`)
  const wanted = await deps.whereFolderIs(location)
  for (const own of deps.protectedPaths()) {
    const place = await deps.whereFolderIs(own)
    if (isAround(place, wanted)) refuse(`${location} belongs to filemgr itself: choose another folder`)
    if (isAround(wanted, place))
      refuse(`${own} lies in ${location}, and belongs to filemgr itself: choose another folder`)
  }
  await requireApart({ location, others }, deps)
  if (!found.writable && !readOnly)
    refuse(`this account cannot write to ${location}: change its permissions, or make the root read-only`)
}

async function requireUsableBucket({ location, others }: Wanted, deps: LocationDeps): Promise<void> {
  parseBucketUrl(location)
  await requireApart({ location, others }, deps)
  try {
    await deps.checkBucket(location)
  } catch (error) {
    refuse(`${location} cannot be served: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** @throws CONFLICT, INVALID_INPUT if it is another root, or one of both contains the other */
async function requireApart({ location, others }: Pick<Wanted, 'location' | 'others'>, deps: LocationDeps) {
  const wanted = await placeOf(location, deps)
  // Side by side: each disk may be waited for.
  const places = await Promise.all(others.map(async (each) => ({ ...each, other: await placeOf(each.location, deps) })))
  for (const { name, other } of places) {
    const [inside, around] = [contains(other, wanted), contains(wanted, other)]
    if (inside && around) fail('CONFLICT', `${location} is the root "${name}" already`, { field: 'location' })
    if (inside) refuse(`${location} lies inside the root "${name}": ${adviceInside(other, wanted)}`)
    if (around) refuse(`the root "${name}" lies inside ${location}: choose a folder beside it, or remove it first`)
  }
}

/** Without the path if that is another one there. */
function adviceInside({ path: around }: ComparablePlace, { path }: ComparablePlace): string {
  const folder = path.startsWith(around === '/' ? '/' : `${around}/`)
    ? path.slice(around === '/' ? 0 : around.length)
    : ''
  return folder === '' ? 'choose another folder' : `give people ${folder} of it, or choose another folder`
}

/** A folder of this machine, or what a bucket is called and the path in it. */
interface ComparablePlace extends FolderPlace {
  readonly bucket: string | undefined
}

async function placeOf(location: string, { whereFolderIs }: LocationDeps): Promise<ComparablePlace> {
  if (isBucketUrl(location)) {
    const { bucket, prefix } = parseBucketUrl(location)
    return { ...byItsPath(`/${prefix}`.replace(/(?<=.)\/$/, '')), bucket }
  }
  // The disk of another root may not respond: it is known by its path then.
  const place = (await unlessFails(whereFolderIs(location), 'BUSY')) ?? byItsPath(resolve(location))
  return { ...place, bucket: undefined }
}

function byItsPath(path: string): FolderPlace {
  return { path, mountPoint: '/', identities: [] }
}

function contains(around: ComparablePlace, inside: ComparablePlace): boolean {
  return around.bucket === inside.bucket && isAround(around, inside)
}

function refuse(problem: string): never {
  return fail('INVALID_INPUT', problem, { field: 'location' })
}
