import { Option } from 'commander'
import { importInstallation } from '../../../api/server/operator.ts'
import { printable } from '../../../domain/text/printable.ts'
import type { ImportNote, ImportReport } from '../../../import/filebrowser/import-report.ts'
import type { FoundInstallation } from '../../../import/import-installation.ts'
import { storeName } from '../../../domain/server/store-url.ts'
import { command, type Invocation, restOf } from '../../program/command.ts'
import { commandLog } from '../../terminal/output.ts'
import { dataFolder, refuseDatabase, findDaemon } from '../../data-folder.ts'
import { type Location, storeLocationIn } from '../../store-location.ts'
import { openDoor } from '../../door/door.ts'

const HEADINGS: Readonly<Record<keyof ImportReport, string>> = {
  carried: 'Imported',
  changed: 'Changed',
  dropped: 'Not imported',
  clashes: 'Already exists here',
  lookAt: 'Needs attention',
}

export const importCommand = command({
  name: 'import <files...>',
  summary: 'Import an installation of File Browser or FileBrowser Quantum',
  operations: ['store.import'],
  options: [
    new Option('--dry-run', 'show what would be done without doing it'),
    new Option('--merge', 'add to existing accounts'),
    new Option('--root <folder>', 'folder to serve instead of the one in the imported configuration'),
  ],
  examples: [
    ['import filebrowser.db --dry-run', 'show what would be imported, changed and left out'],
    ['import filebrowser.db', 'users with their passwords, rules, settings and links'],
    ['import config.json users.yaml', 'from "config export" and "users export", which contain no links'],
    ['import database.db config.yaml', 'from FileBrowser Quantum'],
    ['import - --dry-run < filebrowser.db', 'from standard input'],
    ['import filebrowser.db --merge', 'into a store that has accounts; these are not changed'],
  ],
  async run(invocation) {
    const { globals, terminal, output, values } = invocation
    const folder = dataFolder(globals, terminal)
    await refuseDatabase(folder)
    const location = await storeLocationIn(folder, invocation)
    const dryRun = values['dryRun'] === true
    const { root } = values
    const files = restOf(invocation)
    const [{ findInstallation }, { hasStore }] = await Promise.all([
      import('../../../import/find-installation.ts'),
      import('../../../context/first-start.ts'),
    ])
    const found = await findInstallation({
      files,
      stdin: terminal.stdin,
      workingFolder: terminal.cwd(),
      root: typeof root === 'string' ? root : undefined,
      dryRun,
    })
    const { report, needsMerge } = (await hasStore(location))
      ? await importHere(invocation, location, { found, files, dryRun })
      : await importIntoNew(invocation, location, { found, files, dryRun })
    const end = endOf(storeName(location), dryRun, needsMerge)
    await output.answer({
      json: { dryRun, saved: !dryRun, needsMerge, data: folder, ...report },
      ids: report.carried.map(({ subject }) => subject),
      text: [...sections(report), end].join('\n'),
    })
    const daemon = dryRun ? undefined : await findDaemon(invocation)
    if (daemon !== undefined) output.notice(`the running daemon (pid ${daemon.pid}) uses it immediately`)
  },
})

interface Importing {
  readonly found: FoundInstallation
  readonly files: readonly string[]
  readonly dryRun: boolean
}

async function importHere(invocation: Invocation, location: Location, { found, files, dryRun }: Importing) {
  await using door = await openDoor(invocation, { location })
  const body = { found, files: [...files], merge: invocation.values['merge'] === true }
  return await door.call(importInstallation, { query: { dryRun }, body })
}

async function importIntoNew(invocation: Invocation, location: Location, { found, files, dryRun }: Importing) {
  const [{ importIntoNew: run }, { recordedAlone }] = await Promise.all([
    import('../../../import/import-installation.ts'),
    import('../../door/without-store.ts'),
  ])
  const work = async () => await run(location, found, { dryRun, log: commandLog(invocation.output) })
  if (dryRun) return await work()
  return await recordedAlone(invocation, { action: importInstallation.id, target: files.join(' ') }, work)
}

function sections(report: ImportReport): string[] {
  return (Object.keys(HEADINGS) as (keyof ImportReport)[])
    .filter((kind) => report[kind].length > 0)
    .map((kind) => `${HEADINGS[kind]}:\n${report[kind].map(line).join('\n')}\n`)
}

function line({ subject, note }: ImportNote): string {
  // Names in an old database are chosen by its users, and may contain control characters.
  return `  ${printable(note === '' ? subject : `${subject}: ${note}`)}`
}

function endOf(store: string, dryRun: boolean, needsMerge: boolean): string {
  if (!dryRun) return `Saved in ${store}.`
  const merge = needsMerge ? ' The store already has accounts, so the real import needs --merge.' : ''
  return `Nothing was changed: this was a dry run.${merge}`
}

/** File Browser once converted the files of its first version with it; start scripts may still run it. */
export const upgrade = command({
  name: 'upgrade',
  summary: 'Accepted for old scripts; has no effect',
  options: [
    new Option('--old.database <file>', 'accepted for old scripts; has no effect'),
    new Option('--old.config <file>', 'accepted for old scripts; has no effect'),
  ],
  examples: [['import filebrowser.db', 'imports a database of File Browser 2']],
  async run({ output }) {
    const advice =
      'to move from File Browser, use "filemgr import filebrowser.db"; version 1 must be upgraded by File Browser'
    output.warning(`nothing to upgrade: filemgr upgrades its own store when it starts; ${advice}`)
  },
})
