import { isAdministrator } from '../../../domain/accounts/user.ts'
import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import type { BackupFolders, RestoreReport } from '../../../domain/server/backup.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Random } from '../../../platform/security/random.ts'
import { OWN_BRANDING, type StoreDocument } from '../../../store/document.ts'
import type { Collection, Store } from '../../../store/store.ts'
import type { Backup, StoreCodec } from './backup-file.ts'
import { restoredDocument, survivingTokens, webRestore } from './restored-document.ts'
import { keepShares } from '../../kept-shares.ts'
import type { ConfirmPassword } from '../../accounts/auth/passwords.ts'

export interface BackupsDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  readonly codec: StoreCodec
  readonly folders: BackupFolders
  /** The current branding files. */
  readonly branding: () => AsyncIterable<{ readonly name: string; readonly bytes: Uint8Array }>
  readonly confirm: ConfirmPassword
  readonly version: () => string
  readonly clock: Clock
  readonly random: Random
  readonly compile: PatternCompiler
  readonly options: ServerOptions
}

export interface RestoreOptions {
  readonly currentPassword?: string | undefined
  /** Only report what a restore would do. */
  readonly dryRun?: boolean
}

/** Backups of accounts, settings, shares and branding. They do not contain the users' files, sessions, uploads and logs. */
export function createBackups(deps: BackupsDeps) {
  const { store, sessions, codec, folders, branding, confirm, version, clock, random } = deps

  const create = async (change = (document: StoreDocument) => document): Promise<AsyncGenerator<Buffer>> => {
    // An update without a change reads the newest document under the lock.
    const document = await store.update((draft) => structuredClone(draft))
    const { writeBackup } = await import('./backup-file.ts')
    return writeBackup({
      store: await codec.encode(change(document)),
      branding: branding(),
      version: version(),
      now: new Date(clock.now()),
    })
  }

  const restorablePart = (actor: Actor, { document }: Backup, present: Readonly<StoreDocument>) =>
    actor.kind === 'operator' ? document : webRestore(document, present, deps)

  const apply = async (actor: Actor, backup: Backup): Promise<string> => {
    const now = new Date(clock.now())
    const kept = await folders.keep(await create(), now)
    const { branding: setting } = backup.document.settings
    const isOwnFolder = setting.files === '' || !(await folders.hasFolder(setting.files))
    const brandingFolder = isOwnFolder ? await folders.stageBranding(backup.branding, now) : undefined
    // A single write restores accounts, settings, shares and branding, so a crash cannot leave a mixture.
    const before = await store.update((draft, now) => {
      requireAdmin(actor, 'backup.manage', now)
      const document = restorablePart(actor, backup, draft)
      const { brandingFolder: old = OWN_BRANDING } = draft
      const restored = restoredDocument({ backup: document, before: draft, brandingFolder, random })
      Object.assign(draft, restored)
      const reservedSlugs = [...now.reservedSlugs, ...restored.reservedSlugs]
      draft.reservedSlugs = reservedSlugs
      keepShares(draft, restored.shares, { shares: now.shares, reservedSlugs }, clock.now())
      return old
    })
    await sessions.change({ remove: sessions.all().map(({ family }) => family) })
    if (brandingFolder !== undefined) await folders.dropBranding(before)
    return kept
  }

  return {
    /**
     * Creates a consistent backup, even during writes. Over HTTP it does not contain the key that signs tokens.
     *
     * @throws FORBIDDEN; INVALID_INPUT for a wrong password; STORE_BUSY, STORE_INVALID
     */
    async create(actor: Actor, currentPassword?: string): Promise<AsyncGenerator<Buffer>> {
      requireAdmin(actor, 'backup.manage')
      await confirm(actor, currentPassword)
      if (actor.kind === 'operator') return await create()
      return await create((document) => ({ ...document, secrets: { tokenKey: random.token(64) } }))
    },

    /**
     * Replaces the whole state with a backup, or changes nothing. Signs out all users. Only the operator also restores programs,
     * server options, and API tokens that do not work now.
     *
     * @throws FORBIDDEN; INVALID_INPUT for a wrong password or an invalid backup; TOO_LARGE, NO_SPACE, STORE_BUSY
     */
    async restore(
      actor: Actor,
      stream: AsyncIterable<Uint8Array>,
      { currentPassword, dryRun = false }: RestoreOptions = {},
    ): Promise<RestoreReport> {
      requireAdmin(actor, 'backup.manage')
      await confirm(actor, currentPassword)
      const { readBackup } = await import('./backup-file.ts')
      const backup = await readBackup(stream, codec)
      const present = store.snapshot()
      const { users, shares } = present
      const notes = [
        ...(await notesOn(backup, folders)),
        ...leftOut(backup.document, restorablePart(actor, backup, present)),
        ...(actor.kind === 'operator' ? revived : endedTokens)(backup.document, present),
      ]
      const kept = dryRun ? '' : await apply(actor, backup)
      return reportOf(backup, { dryRun, kept, notes, usersBefore: users.length, sharesBefore: shares.length })
    },
  }
}

type Circumstances = Pick<RestoreReport, 'dryRun' | 'kept' | 'notes' | 'usersBefore' | 'sharesBefore'>

/** What a backup contains, and what was restored. */
export function reportOf({ manifest, document, branding }: Backup, circumstances: Circumstances): RestoreReport {
  const { users, shares } = document
  const { created, filemgr } = manifest
  return { ...circumstances, created, filemgr, users: users.length, shares: shares.length, branding: branding.size }
}

/** What the operator should know after a restore. */
export async function notesOn({ document }: Backup, folders: BackupFolders): Promise<string[]> {
  const { settings, users } = document
  const notes: string[] = []
  if (settings.branding.files !== '') {
    const stays = await folders.hasFolder(settings.branding.files)
    const moved = `${settings.branding.files} does not exist: the branding files are now in the data folder`
    notes.push(stays ? `the branding files in ${settings.branding.files} are not changed` : moved)
  }
  if (!users.some(isAdministrator))
    notes.push('the backup contains no administrator: filemgr users set NAME --perm.admin')
  return notes
}

/** A token that was revoked since the backup must not come back unnoticed. */
function revived({ tokens }: Readonly<StoreDocument>, present: Readonly<StoreDocument>): string[] {
  const known = new Set(present.tokens.map(({ id }) => id))
  const count = tokens.filter(({ id }) => !known.has(id)).length
  if (count === 0) return []
  const subject = count === 1 ? '1 API token of the backup' : `${count} API tokens of the backup`
  return [`${subject} did not exist any more; check what works again with "filemgr tokens ls"`]
}

/** Scripts with these tokens need new ones. */
function endedTokens(backup: Readonly<StoreDocument>, present: Readonly<StoreDocument>): string[] {
  const count = backup.tokens.length - survivingTokens(backup, present).length
  if (count === 0) return []
  const subject = count === 1 ? '1 API token of the backup does' : `${count} API tokens of the backup do`
  return [
    `${subject} not come back, because through the web only tokens that work now stay; make new ones where they are missed`,
  ]
}

function leftOut(whole: Readonly<StoreDocument>, restored: Readonly<StoreDocument>): string[] {
  const texts = [whole, restored].map(({ settings, server }) => JSON.stringify([settings, server]))
  if (texts[0] === texts[1]) return []
  return [
    'sign-in method, hooks, webhooks and server options are not changed; to restore these too, use "filemgr restore"',
  ]
}
