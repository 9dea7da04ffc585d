/** One step up: gets a document of the version it is filed under, returns one of the next version. Pure. */
type Migration = (document: Record<string, unknown>) => Record<string, unknown>

/** Steps by the version they start from. Without a gap: every stored version can be migrated to today's. */
export type Migrations = Readonly<Record<number, Migration>>

export const STORE_MIGRATIONS: Migrations = {}

/** Brings a document of version `from` to version `to`, and stamps it so. */
export function migrate(
  document: Record<string, unknown>,
  from: number,
  to: number,
  migrations: Migrations,
): Record<string, unknown> {
  let migrated = document
  for (let version = from; version < to; version++) {
    const step = migrations[version]
    if (!step) throw new Error(`No migration leads away from version ${version}`)
    migrated = { ...step(migrated), version: version + 1 }
  }
  return migrated
}
