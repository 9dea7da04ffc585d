import type { Readable } from 'node:stream'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { StagedState } from '../../domain/uploads/staged-part.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { isTimeHeld } from '../../domain/files/file-time.ts'
import { amountOf, modifiedOf, type UploadRecord } from '../../domain/uploads/upload.ts'
import {
  childOf,
  cleanVirtualPath,
  namesFolder,
  parentOf,
  parseVirtualPath,
  requireNewName,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import { BodyBatches } from '../../platform/network/body-batches.ts'
import { digestOf } from '../../platform/security/tokens.ts'
import type { Random } from '../../platform/security/random.ts'
import type { Lease, Leases } from '../../store/store.ts'
import type { AccessService, FileAccess } from '../access/access.ts'
import type { HeldSessions } from '../accounts/sessions/held-sessions.ts'
import { addressKey } from '../accounts/auth/throttle.ts'
import type { FileChanges } from '../files/file-changes.ts'
import { requireMayReplace } from '../files/file-checks.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import { FolderRoom } from '../access/quotas/folder-room.ts'
import { replacedAt } from '../access/quotas/replacement.ts'
import type { Arrivals } from '../shares/arrivals.ts'
import { createAdmission } from './admit-upload.ts'
import { linkTarget, sentName, underFreeName } from './link-uploads.ts'
import type { LockedUpload, NewUpload, ResumeOptions, UploadPart, UploadState } from './locked-upload.ts'
import type { HookRunner } from '../automation/hooks/hook-runner.ts'
import {
  familyOf,
  leaseOf,
  type OpenUploads,
  orTakenOver,
  remainderOf,
  requireOwnUpload,
  type Takeover,
  type UploadKey,
  withFamily,
} from './open-uploads.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'
import { REMEMBERED } from './upload-lifetime.ts'
import { createPlacing, type Finished } from './place-upload.ts'

export interface UploadsDeps {
  readonly access: Pick<AccessService, 'for' | 'receiving'>
  readonly arrivals: Pick<Arrivals, 'expect' | 'arrived' | 'find' | 'forget'>
  /** The current settings. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode'>
  readonly changes: Pick<FileChanges, 'notify' | 'touching'>
  readonly openUploads: OpenUploads
  readonly leases: Pick<Leases, 'take' | 'acquire'>
  readonly unfinished: Pick<UnfinishedUploads, 'makeRoom'>
  readonly sessions: HeldSessions
  readonly hooks: Pick<HookRunner, 'begin'>
  readonly quotas: Pick<Quotas, 'appliesTo' | 'reserve' | 'tryReserveShare' | 'count' | 'freed'>
  readonly clock: Clock
  readonly random: Random
}

/** Resumable uploads. Paths are the text of the request, percent-decoded once. */
export function createUploads(deps: UploadsDeps) {
  const { access, arrivals, settings, openUploads, unfinished, leases, sessions, quotas } = deps
  const { clock, random } = deps
  const admit = createAdmission(deps)
  const finish = createPlacing(deps)

  /**
   * Starts an upload, which replaces an unfinished one of the same user and path. Checks everything before it touches the disk.
   *
   * @throws FORBIDDEN, INVALID_INPUT (no length, a folder), CONFLICT (exists), RATE_LIMITED, NO_SPACE, QUOTA_EXCEEDED
   */
  async function begin(actor: Actor, text: string, upload: NewUpload): Promise<LockedUpload> {
    await using resources = new AsyncDisposableStack()
    const { files, path, key } = await reach(actor, text, resources)
    const { length, override, metadata } = upload
    if (length === undefined) fail('INVALID_INPUT', 'invalid upload length')
    requireNewName(path)
    if (namesFolder(text)) fail('INVALID_INPUT', 'a folder cannot be uploaded')
    await requireFree(files, key, override)
    using _slot = await openUploads.takeSlot(key, unfinished.makeRoom)
    const lease = resources.use(await takeLease(key, { kind: 'anew' }))
    await sessions.hold(familyOf(actor))
    const { files: isReplacing, bytes } = await replacedAt(quotas, { files, path, replace: override })
    const replaces = isReplacing === 0 ? {} : { replaces: bytes }
    const record = withFamily(
      { id: random.token(12), ...key, length, override, ...replaces, ...stagingFieldsOf(files, metadata) },
      actor,
    )
    const old = await openUploads.find(key)
    // Discarded before the new one is staged, since its bytes count towards the quota until then.
    if (old !== undefined) await discard(files, old)
    await stage(files, record, lease)
    return await started(resources, { actor, files, record, lease, state: { offset: 0, length, metadata } })
  }

  /**
   * Starts an upload by a link. Its address has its id instead of a path. It counts towards the limits of the link from now on.
   *
   * @throws FORBIDDEN, INVALID_INPUT, TOO_LARGE, NOT_FOUND, RATE_LIMITED, NO_SPACE, QUOTA_EXCEEDED
   */
  async function beginByLink(visitor: Visitor, text: string, upload: NewUpload): Promise<LockedUpload> {
    await using resources = new AsyncDisposableStack()
    const { length, metadata } = upload
    const name = sentName(text)
    const files = resources.use(await access.receiving(visitor))
    if (length === undefined) fail('INVALID_INPUT', 'invalid upload length')
    const { folder, from } = await linkTarget(visitor, files, { name, metadata, now: clock.now() })
    const { id: userId, scope } = files.user
    const { hash: link } = visitor
    const sender = digestOf(addressKey(visitor.address))
    const path = childOf(folder, name)
    const key = { id: random.token(12), userId, scope: cleanVirtualPath(scope), path, link, sender }
    using _slot = await openUploads.takeSlot(key, unfinished.makeRoom)
    const lease = resources.use(await takeLease(key, { kind: 'anew' }))
    await arrivals.expect(visitor, { id: key.id, name, from, length })
    try {
      const record = await underFreeName(files, key.path, async (free) => {
        const made = { ...key, path: free, length, override: false, ...stagingFieldsOf(files, metadata) }
        await stage(files, made, lease)
        return made
      })
      const state = { offset: 0, length, metadata, link }
      return await started(resources, { actor: visitor, files, record, lease, state })
    } catch (error) {
      await arrivals.forget(link, key.id)
      // The visitor must not learn how much room the owner has.
      if (isFilemgrError(error, 'QUOTA_EXCEEDED')) fail('QUOTA_EXCEEDED', 'the recipient has no room for this file')
      throw error
    }
  }

  /** Saves the record and creates the staged file. The whole length counts towards the quota from now on. */
  async function stage(files: FileAccess, record: UploadRecord, lease: Lease): Promise<void> {
    const { staged, override: replace, length } = record
    const path = parseVirtualPath(record.path)
    await using folders = await FolderRoom.reserve(quotas, files, parentOf(path))
    await using reservation = await admit(files.user, record, lease)
    try {
      const { fileMode, dirMode: folderMode } = settings()
      const mode = { fileMode, folderMode, replace, length, ...folders.work }
      await files.scope.staging.create(path, staged, mode)
    } catch (error) {
      await openUploads.drop(record)
      throw error
    }
    await reservation.settle(amountOf(record))
  }

  async function discard(files: FileAccess, record: UploadRecord): Promise<void> {
    const path = parseVirtualPath(record.path)
    await files.scope.staging.discard(path, record.staged)
    await openUploads.drop(record)
    await quotas.freed(record.scope, path)
  }

  /** The upload that was started. An empty one is complete at once. */
  async function started(resources: AsyncDisposableStack, parts: StartedParts): Promise<LockedUpload> {
    const { record, ...rest } = parts
    if (record.length > 0) return lockedUpload(resources, parts)
    const written = await finish(parts.files, record, parts.lease)
    return lockedUpload(resources, { ...rest, id: record.id, written })
  }

  const takeLease = async (key: UploadKey, reason: Takeover) => await leases.take(leaseOf(key), reason)

  const stagingFieldsOf = (files: FileAccess, metadata: string | undefined) => ({
    staged: files.scope.staging.newName(),
    created: clock.now(),
    ...(metadata === undefined ? {} : { metadata }),
  })

  /**
   * Resumes an upload, and stops another request that works on it. An expired session may only resume uploads that it began or
   * continued.
   *
   * @throws FORBIDDEN, NOT_FOUND, UNAUTHENTICATED; CONFLICT if the file cannot be put in place, because its name is taken
   */
  async function resume(
    actor: Actor | Visitor,
    text: string,
    { from, settle = false }: ResumeOptions = {},
  ): Promise<LockedUpload> {
    await using resources = new AsyncDisposableStack()
    const reached =
      actor.kind === 'visitor'
        ? await reachByLink(actor, text, resources)
        : await reach(actor, text, resources, { allowExpired: true })
    const { files, key } = reached
    // Checked before it stops another request. Sessions that have not expired need not wait for the record.
    if (actor.kind === 'user' && actor.isExpired === true) requireOwnUpload(actor, await openUploads.find(key))
    const lease = resources.use(await takeLease(key, { kind: 'resume', from }))
    const record = await openUploads.find(key)
    requireOwnUpload(actor, record)
    if (record === undefined) fail('NOT_FOUND', 'there is no such upload')
    const { length, metadata, link } = record
    const path = parseVirtualPath(record.path)
    const staged = await stagedOf(files, path, record)
    if (staged === undefined) {
      await requireRemembered(files, path, record)
      if (record.link !== undefined) await arrivals.arrived(record.link, record.id, files.scope, path)
      return lockedUpload(resources, { actor, files, lease, state: { offset: length, length } })
    }
    // The attack is to send more to a bucket than was reserved; most servers refuse a part that is longer than its address says.
    if (staged.size > length) {
      await discard(files, record)
      fail('TOO_LARGE', 'more bytes have arrived than the upload has: it was removed')
    }
    const state = { offset: staged.size, length, metadata, link, touched: staged.touched }
    if (!settle || staged.size < length) return lockedUpload(resources, { actor, files, record, lease, state })
    const written = await finish(files, record, lease)
    return lockedUpload(resources, { actor, files, lease, state, written })
  }

  async function reach(
    actor: Actor,
    text: string,
    resources: AsyncDisposableStack,
    flags?: { readonly allowExpired: true },
  ) {
    const path = parseVirtualPath(text)
    const files = resources.use(await access.for(actor, flags))
    files.require('uploads.begin')
    files.requireAllowed(path)
    const { id: userId, scope } = files.user
    return { files, path, key: { userId, scope: cleanVirtualPath(scope), path } }
  }

  /** @param text a slash, and the id of an upload */
  async function reachByLink(visitor: Visitor, text: string, resources: AsyncDisposableStack) {
    const path = parseVirtualPath(text)
    const files = resources.use(await access.receiving(visitor))
    const { id: userId, scope } = files.user
    const key = { userId, scope: cleanVirtualPath(scope), path, link: visitor.hash, id: path.slice(1) }
    return { files, key }
  }

  async function requireFree(files: FileAccess, { path }: UploadKey, override: boolean): Promise<void> {
    const target = parseVirtualPath(path)
    if (!(await files.scope.exists(target))) return
    const { isDir } = await files.scope.stat(target, { ...files.view('/'), sniff: false })
    if (isDir) fail('INVALID_INPUT', 'cannot upload to a folder')
    requireMayReplace(files, override)
  }

  /** The state of the verified staged bytes. Undefined if there is no staged file, because it was committed or removed. */
  async function stagedOf(
    files: FileAccess,
    path: VirtualPath,
    record: UploadRecord,
  ): Promise<StagedState | undefined> {
    const { staging } = files.scope
    const { staged, unverified = Infinity } = record
    try {
      const state = await staging.state(path, staged)
      if (state.size <= unverified) return state
      // The daemon was killed before it verified the checksum of these bytes.
      await staging.cut(path, staged, unverified)
      return { ...state, size: unverified }
    } catch (error) {
      if (isFilemgrError(error, 'NOT_FOUND')) return undefined
      throw error
    }
  }

  /** @throws NOT_FOUND unless it finished recently: its folder was removed, or the command line removed it */
  async function requireRemembered(files: FileAccess, path: VirtualPath, record: UploadRecord): Promise<void> {
    const { finished = -Infinity } = record
    if (clock.now() - finished < REMEMBERED && (await files.scope.exists(path))) return
    // Its folder may have been renamed with the staged file in it, also if a daemon was killed right after it had noted the end:
    // nobody would look for that without the record.
    await discard(files, record)
    fail('NOT_FOUND', 'there is no such upload')
  }

  /** Saves the record as it must be while a part arrives. */
  async function beginPart(
    { record, lease, actor }: StartedParts,
    offset: number,
    part: UploadPart,
  ): Promise<UploadRecord> {
    const { unverified, ...plain } = withFamily(record, actor)
    const now: UploadRecord = part.checksum === undefined ? plain : { ...plain, unverified: offset }
    if (plain.families !== record.families || now.unverified !== unverified) await openUploads.save(now, lease)
    return now
  }

  function lockedUpload(resources: AsyncDisposableStack, parts: LockedParts): LockedUpload {
    const { actor, files, record, lease, state } = parts
    const owned = resources.move()
    let { written } = parts
    return {
      id: record?.id ?? parts.id,
      state,
      get isTimeHeld() {
        const wanted = modifiedOf(state.metadata)
        return written !== undefined && wanted !== undefined && isTimeHeld(wanted, written.modified)
      },
      get linksParted() {
        return written?.linksParted === true
      },
      get placed() {
        return written && (written.replaced ? 'overwritten' : 'created')
      },

      async append(offset, body, part = {}) {
        const { length } = state
        if (offset !== state.offset) fail('CONFLICT', 'the upload does not continue at this offset')
        const signal = part.signal === undefined ? lease.signal : AbortSignal.any([part.signal, lease.signal])
        if (record === undefined) {
          await orTakenOver(lease, requireNoMore(body, signal))
          return length
        }
        await sessions.hold(familyOf(actor))
        using _held = sessions.keepHeld(familyOf(actor))
        const current = await beginPart({ ...parts, record }, offset, part)
        const remainder = () => remainderOf(lease, offset)
        const staged = { offset, length, signal, remainder, checksum: part.checksum }
        const path = parseVirtualPath(record.path)
        const reached = await orTakenOver(lease, files.scope.staging.append(path, record.staged, body, staged))
        const { unverified, ...verified } = current
        if (reached === length) written = await finish(files, verified, lease)
        else if (unverified !== undefined) await openUploads.save(verified, lease)
        return reached
      },

      async parts() {
        // Once all bytes are there, `resume` has put the file in place.
        if (record === undefined) return []
        const path = parseVirtualPath(record.path)
        const parts = await files.scope.staging.direct?.(path, record.staged, state.length)
        files.requireStill()
        return parts ?? fail('NOT_IMPLEMENTED', 'the bucket cannot take the next bytes: send them to this server')
      },

      async discard() {
        if (record === undefined) fail('NOT_FOUND', 'the upload is finished')
        await discard(files, record)
        if (record.link !== undefined) await arrivals.forget(record.link, record.id)
      },

      [Symbol.asyncDispose]: async () => await owned.disposeAsync(),
    }
  }

  return { begin, beginByLink, resume }
}

export type Uploads = ReturnType<typeof createUploads>

interface LockedParts {
  readonly actor: Actor | Visitor
  /** The id, if there is no record. */
  readonly id?: string | undefined
  readonly files: FileAccess
  /** Undefined for a finished upload. */
  readonly record?: UploadRecord
  readonly lease: Lease
  readonly state: UploadState
  /** Set if the file was just put in place. */
  readonly written?: Finished
}

type StartedParts = Omit<LockedParts, 'record'> & { readonly record: UploadRecord }

/**
 * Reads the body of a part for a finished upload. A reply that is sent before may be lost: HttpURLConnection of Java drops what
 * arrives together with "100 Continue".
 *
 * @throws TOO_LARGE if there are bytes, CANCELLED
 */
async function requireNoMore(body: Readable, signal: AbortSignal): Promise<void> {
  using batches = new BodyBatches(body, { length: 0, signal })
  await batches.next()
}
