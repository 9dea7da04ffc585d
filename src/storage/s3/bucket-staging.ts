import { createHash } from 'node:crypto'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { StagedState } from '../../domain/uploads/upload.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import { BodyBatches, sizeOf } from '../../platform/network/body-batches.ts'
import { isStagedName } from '../reserved-names.ts'
import type { Written } from '../open-file.ts'
import type { Staging, WriteMode } from '../storage.ts'
import type { Condition } from './conditions.ts'
import { type BucketRoot, lookUp, makeFoldersAbove, newKeyOf } from './bucket-root.ts'
import { wholeOf } from './client.ts'
import { mapParallel } from './in-parallel.ts'
import { headersFor, placeFile, putFile, putOnCondition, requireReplaceable } from './place-file.ts'
import { type ListedObject, newTime } from './stored-object.ts'
import { PART, requireRoom } from './write-file.ts'

/** Bytes that each part of a multipart upload except the last must have. */
const MIN_PART = 5 * 1024 * 1024
/** Maximum number of parts, below the limit of 10,000. */
const MAX_COUNT = 9000
const DIGITS = 16
/** Parts that a client sends to the bucket at the same time. */
const DIRECT_PARTS = 3
const NO_HEADERS = { headers: {}, modified: undefined }

/** An object with a part of the file. Its key ends in the offset, so that a longer part replaces a shorter one. */
interface Part extends ListedObject {
  readonly start: number
  readonly end: number
}

interface StagedParts extends StagedState {
  readonly parts: readonly Part[]
  /** Keys of objects after a gap. */
  readonly strays: readonly string[]
}

/**
 * Files that arrive in parts, each part an object under the staged name at the top of the bucket. The objects contain every
 * acknowledged byte: a part that is too short for a multipart upload is read again when the next bytes arrive. At the end, the
 * server copies the parts into one object. This process keeps no state, so another one can continue an upload.
 */
export function bucketStaging(root: BucketRoot): Staging {
  async function putWhole(key: string, parts: readonly Part[], mode: WriteMode): Promise<Written> {
    const bytes = Buffer.concat(await mapParallel(parts, async (part) => await bytesOf(part, part.end)))
    return await putFile(root, key, bytes, mode)
  }

  async function assemble(key: string, parts: readonly Part[], mode: WriteMode): Promise<Written> {
    const { bucket, clock } = root
    const present = await lookUp(root, key)
    requireReplaceable(present, mode)
    const old = present?.kind === 'file' ? present.object.modified : undefined
    const modified = newTime(mode.modified, clock.now(), old)
    const headers = await headersFor(root, key, present)
    await using assembly = await bucket.assemble(key, { headers, modified })
    await mapParallel([...parts.entries()], async ([index, part]) => await assembly.addCopy(index + 1, part))
    const size = parts.at(-1)?.end ?? 0
    return await placeFile(
      root,
      key,
      { size, fixed: modified },
      mode,
      async ({ condition }) => await assembly.complete(condition),
    )
  }

  /** @throws NOT_FOUND */
  async function readParts(name: string): Promise<StagedParts> {
    const prefix = prefixOf(name)
    const parts: Part[] = []
    const strays: string[] = []
    let touched: number | undefined
    let size = 0
    for await (const { objects } of root.bucket.pages(prefix)) {
      for (const object of objects) {
        touched = Math.max(touched ?? 0, Number(object.stored / 1_000_000n))
        if (object.key === prefix) continue
        const start = Number(object.key.slice(prefix.length))
        // Objects after a gap are from a request that is still running, or broke off.
        if (start === size) {
          size += object.size
          parts.push({ ...object, start, end: size })
        } else strays.push(object.key)
      }
    }
    if (touched === undefined) fail('NOT_FOUND', 'there is no such upload')
    return { size, touched, parts, strays }
  }

  /** Truncates the file: stores the part that contains the new end again, and removes later ones. */
  async function cutBack(name: string, size: number): Promise<void> {
    const { parts } = await readParts(name)
    const prefix = prefixOf(name)
    const beyond = parts.filter(({ end }) => end > size)
    const [first] = beyond
    if (first !== undefined && first.start < size) {
      const kept = await bytesOf(first, size)
      await root.bucket.put(partKey(prefix, first.start), kept, NO_HEADERS)
      beyond.shift()
    }
    if (beyond.length > 0) await root.bucket.remove(beyond.map(({ key }) => key))
  }

  /** @param end offset in the file */
  async function bytesOf({ key, start, end: whole, etag }: Part, end: number): Promise<Buffer> {
    if (whole === start) return Buffer.alloc(0)
    const found = await root.bucket.get(key, { etag, span: { start: 0, end: end - start } })
    const bytes = found && (await wholeOf(found.body))
    return bytes?.length === end - start
      ? bytes
      : fail('CONFLICT', 'another request is writing to this upload: try again')
  }

  async function removeParts(name: string): Promise<void> {
    const prefix = prefixOf(name)
    const keys: string[] = []
    for await (const { objects } of root.bucket.pages(prefix)) keys.push(...objects.map(({ key }) => key))
    // The marker last: without it the upload would not be found, and its remaining parts would be forgotten.
    if (keys.length > 1) await root.bucket.remove(keys.slice(1))
    if (keys.length > 0) await root.bucket.remove(keys.slice(0, 1))
  }

  /** The name comes from an upload record. The attack is an edited record that names another object. */
  function prefixOf(name: string): string {
    if (!isStagedName(name)) fail('NOT_FOUND', 'there is no such upload')
    return `${root.home}${name}/`
  }

  return {
    newName: () => root.staged.next(),

    async create(target, name, mode) {
      const prefix = prefixOf(name)
      const key = newKeyOf(root, target)
      if (target === ROOT) fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
      requireReplaceable(await lookUp(root, key), mode)
      requireRoom(mode.length)
      await makeFoldersAbove(root, target, mode)
      try {
        await root.bucket.put(prefix, new Uint8Array(), { ...NO_HEADERS, condition: 'new' })
      } catch (error) {
        // It may be there, although the server has not answered.
        root.staged.leaveBehind(name)
        throw error
      }
    },

    async state(_target, name) {
      const { size, touched } = await readParts(name)
      return { size, touched }
    },

    async append(_target, name, source, part) {
      const { offset, length, signal, checksum, remainder } = part
      const { size, parts, strays } = await readParts(name)
      if (size !== offset) fail('CONFLICT', 'the upload does not continue at this offset')
      const prefix = prefixOf(name)
      if (strays.length > 0) await root.bucket.remove(strays)
      const minimum = minimumOf(length)
      const full = Math.max(PART, minimum)
      const short = parts.at(-1)
      const isContinued = short !== undefined && short.end - short.start < minimum
      let start = isContinued ? short.start : offset
      let buffered = isContinued ? [await bytesOf(short, short.end)] : []
      const hash = checksum && createHash(checksum.algorithm)
      using batches = new BodyBatches(source, { max: length - offset, signal, hash })
      // Must not replace a part that another process has stored and acknowledged meanwhile.
      let condition: Exclude<Condition, undefined> = isContinued ? { etag: short.etag } : 'new'
      const store = async () => {
        const bytes = Buffer.concat(buffered)
        await orOvertaken(putOnCondition(root, partKey(prefix, start), bytes, { ...NO_HEADERS, condition }))
        start += bytes.length
        buffered = []
        condition = 'new'
      }
      const storeRest = async () => {
        if (start + sizeOf(buffered) > offset && buffered.length > 0) await store()
        return start + sizeOf(buffered)
      }
      try {
        for (let batch = await batches.next(); batch !== undefined; batch = await batches.next()) {
          buffered.push(...batch)
          if (sizeOf(buffered) >= full) await store()
        }
        if (hash?.digest('base64') !== checksum?.digest)
          fail('CHECKSUM_MISMATCH', 'the part does not match its checksum: send it again')
        return await storeRest()
      } catch (error) {
        const decision = remainder?.()
        if (decision === 'leave') throw error
        // An incomplete part cannot be verified against its checksum.
        const isWorthless = isFilemgrError(error, 'TOO_LARGE') || checksum !== undefined || decision === 'drop'
        if (isWorthless) await cutBack(name, offset)
        else if (isFilemgrError(error)) await storeRest().catch(() => undefined)
        throw error
      }
    },

    async direct(_target, name, length) {
      const { signer } = root.bucket
      if (signer === undefined) return undefined
      const { size, parts } = await readParts(name)
      const minimum = minimumOf(length)
      const last = parts.at(-1)
      // It would have to be read again to grow.
      if (last !== undefined && last.end - last.start < minimum) return undefined
      const full = Math.max(PART, minimum)
      root.staged.expectLateWrites(name)
      const starts = Array.from({ length: DIRECT_PARTS }, (_, index) => size + index * full)
      return await mapParallel(
        starts.filter((start) => start < length),
        async (offset) => {
          const part = { offset, length: Math.min(full, length - offset) }
          return { ...part, url: await signer.targetOf(partKey(prefixOf(name), offset), part.length) }
        },
      )
    },

    cut: async (_target, name, size) => await cutBack(name, size),

    async commit(target, name, mode) {
      const key = newKeyOf(root, target)
      const { size, parts } = await readParts(name)
      if (size !== mode.length) fail('CONFLICT', 'the upload is not complete')
      // Removed since the upload began, they would come back with the file.
      await makeFoldersAbove(root, target, mode)
      const written = await (size <= PART ? putWhole(key, parts, mode) : assemble(key, parts, mode))
      // The file is in place. If its parts cannot be removed, the next run has to sweep them.
      await removeParts(name).catch(() => root.staged.leaveBehind(name))
      return written
    },

    discard: async (_target, name) => await removeParts(name),
  }
}

async function orOvertaken(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isFilemgrError(error, 'PRECONDITION_FAILED')) throw error
    fail('CONFLICT', 'another request continues this upload', {}, { cause: error })
  }
}

/** Bytes of all parts but the last. */
function minimumOf(length: number): number {
  return Math.max(MIN_PART, Math.ceil(length / MAX_COUNT))
}

function partKey(prefix: string, start: number): string {
  return prefix + String(start).padStart(DIGITS, '0')
}
