import { ROOT } from '../../domain/files/virtual-path.ts'
import { ReportWriter } from '../filebrowser/import-report.ts'
import type { OldInstallation } from '../filebrowser/old-record.ts'
import { convertServer, convertSettings, reportUnknown } from './convert-settings.ts'
import { convertShares } from './convert-shares.ts'
import { convertUsers } from './convert-users.ts'
import { movedSources, type QuantumConfig } from './quantum-config.ts'
import type { QuantumDatabase } from './quantum-database.ts'

export interface QuantumInstallation {
  readonly database: QuantumDatabase
  readonly config: QuantumConfig
  /** The folder that takes the place of the one that contains all sources. */
  readonly root: string | undefined
}

/**
 * An installation of FileBrowser Quantum in the form of File Browser with a root for each source, so that both are imported by the same code, with notes on
 * what that form cannot express.
 *
 * @throws INVALID_INPUT if a field has an unexpected type
 */
export function convertQuantum({ database, config, root }: QuantumInstallation): OldInstallation {
  const sources = movedSources(config.sources, root)
  const [first] = sources
  const settingsNotes = new ReportWriter()
  const notes = new ReportWriter()
  const server = convertServer(config, first?.location ?? ROOT, settingsNotes)
  const { settings, auther } = convertSettings(config, settingsNotes)
  reportUnknown(config, settingsNotes)
  const users = convertUsers({ database, sources, report: notes })
  const { links, linkTerms } = convertShares({ database, sources, users, report: notes })
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
    roots: sources.map(({ location, name, readOnly }) => ({ location, name, readOnly })),
    links,
    linkTerms,
    notes: { settings: settingsNotes.report(), content: notes.report() },
  }
}
