import { Type, type Static } from 'typebox'

/** Grows with changes that older versions of filemgr cannot read. */
export const BACKUP_FORMAT = 1

/** The last file of a backup, with the digests of the others. */
export const BackupManifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** Version that created the backup. */
  filemgr: Type.String({ maxLength: 64 }),
  /** RFC 3339. */
  created: Type.String({ maxLength: 32 }),
  files: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: 255 }),
      size: Type.Integer({ minimum: 0 }),
      /** In hex. */
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { maxItems: 1000 },
  ),
})
export type BackupManifest = Static<typeof BackupManifest>

/** The result of a restore, or of a dry run. */
export const RestoreReport = Type.Object({
  dryRun: Type.Boolean(),
  /** RFC 3339. */
  created: Type.String(),
  filemgr: Type.String({ description: 'Version that created the backup' }),
  users: Type.Integer(),
  shares: Type.Integer(),
  branding: Type.Integer({ description: 'Branding files' }),
  usersBefore: Type.Integer({ description: 'Number of accounts before the restore' }),
  sharesBefore: Type.Integer(),
  kept: Type.String({ description: 'File in the data folder with the previous state; empty if there was none' }),
  notes: Type.Array(Type.String()),
})
export type RestoreReport = Static<typeof RestoreReport>

/** The files of a restore in the data folder. */
export interface BackupFolders {
  /** Saves a backup of the state that is about to be replaced. @returns its name; "" without a data folder */
  keep(backup: AsyncIterable<Uint8Array>, now: Date): Promise<string>
  /** Writes branding files to a new folder, which is used once the store names it. @returns its name */
  stageBranding(files: ReadonlyMap<string, Uint8Array>, now: Date): Promise<string>
  /** Removes a branding folder that the store no longer names. Errors are ignored, because it is unused. */
  dropBranding(name: string): Promise<void>
  /** Whether the operator's branding folder exists. */
  hasFolder(path: string): Promise<boolean>
}
