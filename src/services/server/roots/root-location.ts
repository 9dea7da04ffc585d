import { isAbsolute } from 'node:path'
import { fail } from '../../../domain/errors.ts'
import { isBucketUrl, parseBucketUrl } from '../../../domain/server/addresses.ts'
import { futureRealpath, isBeneath, lookAtFolder } from '../../../platform/files/served-root.ts'

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
  /** The innermost mount point around a folder without links in its path. */
  readonly mountPointAround: (path: string) => Promise<string>
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

/** Where the disk of a new root is mounted; empty if it is the disk of the system, or a bucket. */
export async function mountPointOf(location: string, { mountPointAround }: LocationDeps): Promise<string> {
  if (isBucketUrl(location)) return ''
  const mountPoint = await mountPointAround(await futureRealpath(location))
  return mountPoint === '/' ? '' : mountPoint
}

/** Whether a location is one of some folders and buckets, or in one of them. */
export async function liesInOneOf(places: readonly string[], location: string): Promise<boolean> {
  const wanted = await placeOf(location)
  for (const place of places) if (contains(await placeOf(place), wanted)) return true
  return false
}

async function requireUsableFolder({ location, readOnly, others }: Wanted, deps: LocationDeps): Promise<void> {
  if (!isAbsolute(location))
    refuse(`"${location}" is no whole path: give one such as /srv/photos, or a bucket as s3://bucket/prefix`)
  const found = await lookAtFolder(location)
  if ('problem' in found) refuse(`${location} ${found.problem}`)
  const { real, writable } = found
  for (const own of deps.protectedPaths()) {
    const path = await futureRealpath(own)
    if (isBeneath(path, real)) refuse(`${location} belongs to filemgr itself: choose another folder`)
    if (isBeneath(real, path))
      refuse(`${own} lies in ${location}, and belongs to filemgr itself: choose another folder`)
  }
  await requireApart({ location, others })
  if (!writable && !readOnly)
    refuse(`this account cannot write to ${location}: change its permissions, or make the root read-only`)
}

async function requireUsableBucket({ location, others }: Wanted, { checkBucket }: LocationDeps): Promise<void> {
  parseBucketUrl(location)
  await requireApart({ location, others })
  try {
    await checkBucket(location)
  } catch (error) {
    refuse(`${location} cannot be served: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** @throws CONFLICT, INVALID_INPUT if it is another root, or one of both contains the other */
async function requireApart({ location, others }: Pick<Wanted, 'location' | 'others'>): Promise<void> {
  const wanted = await placeOf(location)
  for (const { name, location: there } of others) {
    const other = await placeOf(there)
    const [inside, around] = [contains(other, wanted), contains(wanted, other)]
    if (inside && around) fail('CONFLICT', `${location} is the root "${name}" already`, { field: 'location' })
    if (inside) {
      const folder = wanted.path.slice(other.path === '/' ? 0 : other.path.length)
      refuse(`${location} lies inside the root "${name}": give people ${folder} of it, or choose another folder`)
    }
    if (around) refuse(`the root "${name}" lies inside ${location}: choose a folder beside it, or remove it first`)
  }
}

/** Comparable: a folder of this machine without links in its path, or what a bucket is called and the path in it. */
interface ComparablePlace {
  readonly bucket: string | undefined
  readonly path: string
}

async function placeOf(location: string): Promise<ComparablePlace> {
  if (!isBucketUrl(location)) return { bucket: undefined, path: await futureRealpath(location) }
  const { bucket, prefix } = parseBucketUrl(location)
  return { bucket, path: `/${prefix}`.replace(/(?<=.)\/$/, '') }
}

function contains(around: ComparablePlace, inside: ComparablePlace): boolean {
  return around.bucket === inside.bucket && isBeneath(around.path, inside.path)
}

function refuse(problem: string): never {
  return fail('INVALID_INPUT', problem, { field: 'location' })
}
