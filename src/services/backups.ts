import type { Actor } from '../domain/actor.ts'
import type { RestoreReport } from '../domain/backup.ts'
import { requireRight } from '../domain/rights.ts'
import type { Clock } from '../platform/clock.ts'
import type { SessionDocument, StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import type { Backup, StoreCodec } from './backup/read-backup.ts'
import { restoredDocument } from './backup/restored-document.ts'
import type { ConfirmPassword } from './auth/current-password.ts'

/** Where a backup is kept and brought back to; the disk below a data folder. */
export interface BackupPlace {
  /** Keeps a copy of the state that is about to be replaced. @returns its name; "" where nothing is kept */
  keep(backup: AsyncIterable<Uint8Array>, now: Date): Promise<string>
  /** Puts branding files in the place of those that were uploaded before. */
  replaceBranding(files: ReadonlyMap<string, Uint8Array>, now: Date): Promise<void>
  /** Whether the operator's own branding folder of this name is there. */
  hasFolder(path: string): Promise<boolean>
}

export interface BackupsDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Store<SessionDocument>
  readonly codec: StoreCodec
  readonly place: BackupPlace
  /** Styles and pictures as they are now. */
  readonly branding: () => AsyncIterable<{ readonly name: string; readonly bytes: Uint8Array }>
  readonly confirm: ConfirmPassword
  readonly version: () => string
  readonly clock: Clock
}

export interface RestoreHow {
  readonly currentPassword?: string | undefined
  /** Tell what would be done, and do nothing. */
  readonly dryRun?: boolean
}

/** The whole state in one file: accounts, settings, links, branding. Not the users' files, sessions, uploads and logs. */
export interface Backups {
  /** Of one moment, also while others write. @throws FORBIDDEN, STORE_BUSY, STORE_INVALID */
  create(actor: Actor): Promise<AsyncGenerator<Buffer>>
  /**
   * Takes a backup in place of the present state: all of it or nothing. Everybody is signed out by it.
   *
   * @throws FORBIDDEN; INVALID_INPUT for a wrong password and for a backup that cannot be used; TOO_LARGE, NO_SPACE,
   *         STORE_BUSY
   */
  restore(actor: Actor, stream: AsyncIterable<Uint8Array>, how?: RestoreHow): Promise<RestoreReport>
}

export function createBackups(deps: BackupsDeps): Backups {
  const { store, sessions, codec, place, branding, confirm, version, clock } = deps

  const create = async (): Promise<AsyncGenerator<Buffer>> => {
    // A change that changes nothing: under the lock, on the newest document.
    const document = await store.update((draft) => structuredClone(draft))
    const { writeBackup } = await import('./backup/write-backup.ts')
    return writeBackup({
      store: codec.encode(document),
      branding: branding(),
      version: version(),
      now: new Date(clock.now()),
    })
  }

  const apply = async (backup: Backup): Promise<string> => {
    const now = new Date(clock.now())
    const kept = await place.keep(await create(), now)
    const { branding: setting } = backup.document.settings
    const isOwnFolder = setting.files === '' || !(await place.hasFolder(setting.files))
    await store.update((draft) => {
      Object.assign(draft, restoredDocument(backup.document, draft))
      if (isOwnFolder) draft.settings.branding.files = ''
    })
    await sessions.update((draft) => {
      draft.sessions = []
    })
    if (isOwnFolder) await place.replaceBranding(backup.branding, now)
    return kept
  }

  return {
    async create(actor) {
      requireAdministrator(actor)
      return await create()
    },

    async restore(actor, stream, { currentPassword, dryRun = false } = {}) {
      requireAdministrator(actor)
      await confirm(actor, currentPassword)
      const { readBackup } = await import('./backup/read-backup.ts')
      const backup = await readBackup(stream, codec)
      const { users, shares } = store.snapshot()
      const notes = await notesOn(backup, place)
      const kept = dryRun ? '' : await apply(backup)
      return reportOf(backup, { dryRun, kept, notes, usersBefore: users.length, sharesBefore: shares.length })
    },
  }
}

type Circumstances = Pick<RestoreReport, 'dryRun' | 'kept' | 'notes' | 'usersBefore' | 'sharesBefore'>

/** What a backup holds and what became of it, for whoever restores. */
export function reportOf({ manifest, document, branding }: Backup, circumstances: Circumstances): RestoreReport {
  const { users, shares } = document
  const { created, filemgr } = manifest
  return { ...circumstances, created, filemgr, users: users.length, shares: shares.length, branding: branding.size }
}

/** What whoever restores should know. */
export async function notesOn({ document }: Backup, place: Pick<BackupPlace, 'hasFolder'>): Promise<string[]> {
  const { settings, users } = document
  const notes: string[] = []
  if (settings.branding.files !== '') {
    const stays = await place.hasFolder(settings.branding.files)
    const moved = `${settings.branding.files} is not there: its files are kept in the data folder from now on`
    notes.push(stays ? `the branding files in ${settings.branding.files} stay as they are` : moved)
  }
  if (!users.some(({ perm }) => perm.admin))
    notes.push('there is no administrator in it: filemgr users set NAME --perm.admin')
  return notes
}

function requireAdministrator(actor: Actor): void {
  if (actor.kind === 'user') requireRight(actor.user.perm, 'backup.manage')
}
