import { fail } from '../../domain/errors.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import { ReportWriter } from '../filebrowser/import-report.ts'
import type { OldInstallation } from '../filebrowser/old-record.ts'
import { convertServer, convertSettings, reportUnknown } from './convert-settings.ts'
import { convertShares } from './convert-shares.ts'
import { convertUsers } from './convert-users.ts'
import { type QuantumConfig, type QuantumSource, servedFolderOf } from './quantum-config.ts'
import type { QuantumDatabase } from './quantum-database.ts'

export interface QuantumInstallation {
  readonly database: QuantumDatabase
  readonly config: QuantumConfig
  /** The folder that takes the place of the one that contains all sources. */
  readonly root: string | undefined
}

/**
 * An installation of FileBrowser Quantum in the form of File Browser, so that both are imported by the same code, with notes on
 * what that form cannot express.
 *
 * @throws INVALID_INPUT if no folder contains all sources, or a field has an unexpected type
 */
export function convertQuantum({ database, config, root }: QuantumInstallation): OldInstallation {
  const { sources } = config
  const settingsNotes = new ReportWriter()
  const notes = new ReportWriter()
  const served = servedFolderOf(sources)
  if (served.root === ROOT && sources.length > 1 && root === undefined) refuseRoot(sources)
  const server = convertServer(config, root ?? served.root, settingsNotes)
  const { settings, auther } = convertSettings(config, settingsNotes)
  reportUnknown(config, settingsNotes)
  const users = convertUsers({ database, sources, served, report: notes })
  const { links, linkTerms } = convertShares({ database, sources, served, users, report: notes })
  if (database.rules.length > 0) {
    notes.add('changed', 'access rules', `the ${database.rules.length} became rules of the users they apply to`)
  }
  if (database.quotas > 0)
    notes.add('dropped', 'quotas', `${database.quotas}; to set them again: filemgr users set NAME --quota`)
  return {
    settings,
    server,
    auther,
    users: users.map(({ record }) => record),
    groups: [...database.groups].map(([name, members]) => ({ name, members: [...members] })),
    links,
    linkTerms,
    notes: { settings: settingsNotes.report(), content: notes.report() },
  }
}

function refuseRoot(sources: readonly QuantumSource[]): never {
  const paths = sources.map(({ path }) => path)
  const advice = `mount them in one folder, as ${paths.map((path) => `FOLDER${path}`).join(' and ')}`
  return fail(
    'INVALID_INPUT',
    `no folder contains the sources ${paths.join(' and ')}: ${advice}, and add --root FOLDER`,
  )
}
