import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import {
  childOf,
  cleanVirtualPath,
  namesFolder,
  parseVirtualPath,
  requireNewName,
} from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import { digestOf } from '../../platform/security/tokens.ts'
import type { Random } from '../../platform/security/random.ts'
import type { Leases } from '../../store/store.ts'
import type { AccessService } from '../access/access.ts'
import type { FileAccess } from '../access/file-access.ts'
import type { HeldSessions } from '../accounts/sessions/held-sessions.ts'
import { addressKey } from '../accounts/auth/throttle.ts'
import type { FileChanges } from '../access/file-changes.ts'
import { requireMayReplace } from '../access/file-checks.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import { replacedAt } from '../access/quotas/replacement.ts'
import type { Arrivals } from '../shares/arrivals.ts'
import { linkTarget, sentName, underFreeName } from './link-uploads.ts'
import {
  createLockedUploads,
  type LockedUpload,
  type NewUpload,
  type ResumeOptions,
  type StartedParts,
} from './locked-upload.ts'
import type { HookRunner } from '../automation/hooks/hook-runner.ts'
import {
  familyOf,
  leaseOf,
  type OpenUploads,
  requireOwnUpload,
  type Takeover,
  type UploadKey,
  withFamily,
} from './open-uploads.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'
import { createPlacing } from './place-upload.ts'
import { createStagedUploads } from './staged-uploads.ts'

export interface UploadsDeps {
  readonly access: Pick<AccessService, 'at' | 'receiving'>
  readonly arrivals: Pick<Arrivals, 'expect' | 'arrived' | 'find' | 'forget'>
  /** The current settings. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode'>
  readonly changes: Pick<FileChanges, 'notify' | 'touching'>
  readonly openUploads: OpenUploads
  readonly leases: Pick<Leases, 'takeOver' | 'tryAcquire'>
  readonly unfinished: Pick<UnfinishedUploads, 'makeRoom'>
  readonly sessions: HeldSessions
  readonly hooks: Pick<HookRunner, 'begin'>
  readonly quotas: Pick<Quotas, 'appliesTo' | 'reserve' | 'tryReserveShare' | 'count' | 'freed'>
  readonly clock: Clock
  readonly random: Random
}

/** Resumable uploads. Paths are the text of the request, percent-decoded once. */
export function createUploads(deps: UploadsDeps) {
  const { access, arrivals, openUploads, unfinished, leases, sessions, quotas, clock, random } = deps
  const staged = createStagedUploads(deps)
  const finish = createPlacing(deps)
  const lockedUpload = createLockedUploads({ ...deps, staged, finish })

  /**
   * Starts an upload, which replaces an unfinished one of the same user and path. Checks everything before it touches the disk.
   *
   * @throws FORBIDDEN, INVALID_INPUT (no length, a folder), CONFLICT (exists), RATE_LIMITED, NO_SPACE, QUOTA_EXCEEDED
   */
  async function begin(actor: Actor, text: string, upload: NewUpload): Promise<LockedUpload> {
    await using resources = new AsyncDisposableStack()
    const { files, path, key } = await reach(actor, text, resources)
    const { length, metadata } = upload
    // Who may see nothing must not learn which names are taken: the end of the upload finds a free one.
    const override = upload.override && files.given !== 'upload'
    if (length === undefined) fail('INVALID_INPUT', 'invalid upload length')
    requireNewName(path)
    if (namesFolder(text)) fail('INVALID_INPUT', 'a folder cannot be uploaded')
    if (files.given !== 'upload') await requireFree(files, key, override)
    using _slot = await openUploads.takeSlot(key, unfinished.makeRoom)
    const lease = resources.use(await takeLease(key, { kind: 'anew' }))
    await sessions.extend(familyOf(actor))
    const { files: isReplacing, bytes } = await replacedAt(quotas, { files, path, replace: override })
    const replaces = isReplacing === 0 ? {} : { replaces: bytes }
    const record = withFamily(
      { id: random.token(12), ...key, length, override, ...replaces, ...stagingFields(files, metadata) },
      actor,
    )
    const old = await openUploads.find(key)
    // Discarded before the new one is staged, since its bytes count towards the quota until then.
    if (old !== undefined) await staged.discard(files, old)
    await staged.stage(files, record, lease)
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
        const made = { ...key, path: free, length, override: false, ...stagingFields(files, metadata) }
        await staged.stage(files, made, lease)
        return made
      })
      const state = { offset: 0, length, metadata, link }
      return await started(resources, { actor: visitor, files, record, lease, state })
    } catch (error) {
      await arrivals.forget(link, key.id)
      // The visitor must not learn how much room the owner has.
      if (isFilemgrError(error, 'QUOTA_EXCEEDED'))
        fail('QUOTA_EXCEEDED', 'the recipient has no room for this file', error.details)
      throw error
    }
  }

  /** The upload that was started. An empty one is complete at once. */
  async function started(resources: AsyncDisposableStack, parts: StartedParts): Promise<LockedUpload> {
    const { record, ...rest } = parts
    if (record.length > 0) return lockedUpload(resources, parts)
    const written = await finish(parts.files, record, parts.lease)
    return lockedUpload(resources, { ...rest, id: record.id, written })
  }

  const stagingFields = (files: FileAccess, metadata: string | undefined) => ({
    staged: files.scope.staging.newName(),
    created: clock.now(),
    ...(metadata === undefined ? {} : { metadata }),
  })

  const takeLease = async (key: UploadKey, reason: Takeover) => await leases.takeOver(leaseOf(key), reason)

  /**
   * Resumes an upload, and stops another request that works on it. An expired session may only resume uploads that it began or
   * continued.
   *
   * @throws FORBIDDEN, NOT_FOUND, UNAUTHENTICATED; CONFLICT if the file cannot be put in place, because its name is taken
   */
  async function resume(
    actor: Actor | Visitor,
    text: string,
    { from, finishes = false }: ResumeOptions = {},
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
    const found = await staged.stateOf(files, path, record)
    if (found === undefined) {
      await staged.requireRemembered(files, path, record)
      if (record.link !== undefined) await arrivals.arrived(record.link, record.id, files.scope, path)
      return lockedUpload(resources, { actor, files, lease, state: { offset: length, length } })
    }
    // The attack is to send more to a bucket than was reserved; most servers refuse a part that is longer than its address says.
    if (found.size > length) {
      await staged.discard(files, record)
      fail('TOO_LARGE', 'more bytes have arrived than the upload has: it was removed')
    }
    const state = { offset: found.size, length, metadata, link, touched: found.touched }
    if (!finishes || found.size < length) return lockedUpload(resources, { actor, files, record, lease, state })
    const written = await finish(files, record, lease)
    return lockedUpload(resources, { actor, files, lease, state, written })
  }

  async function reach(
    actor: Actor,
    text: string,
    resources: AsyncDisposableStack,
    flags: { readonly allowExpired?: true } = {},
  ) {
    const files = resources.use(await access.at(actor, text, { ...flags, sends: true }))
    const { path } = files
    files.require('uploads.begin', path)
    files.requireAllowed(path)
    const { grant } = files.place
    // Of who sends it: what the owner of the files is sending is another upload.
    const key = { userId: files.by.id, scope: cleanVirtualPath(files.user.scope), path, ...(grant && { grant }) }
    return { files, path, key }
  }

  /** @param text a slash, and the id of an upload */
  async function reachByLink(visitor: Visitor, text: string, resources: AsyncDisposableStack) {
    const path = parseVirtualPath(text)
    const files = resources.use(await access.receiving(visitor))
    const { id: userId, scope } = files.user
    const key = { userId, scope: cleanVirtualPath(scope), path, link: visitor.hash, id: path.slice(1) }
    return { files, key }
  }

  return { begin, beginByLink, resume }
}

export type Uploads = ReturnType<typeof createUploads>

async function requireFree(files: FileAccess, { path }: UploadKey, override: boolean): Promise<void> {
  const target = parseVirtualPath(path)
  if (!(await files.scope.exists(target))) return
  const { isDir } = await files.scope.stat(target, { ...files.view('/'), sniff: false })
  if (isDir) fail('INVALID_INPUT', 'cannot upload to a folder')
  requireMayReplace(files, target, override)
}
