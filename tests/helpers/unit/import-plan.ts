import { readFileSync } from 'node:fs'
import { fromDatabase } from '../../../src/import/filebrowser/read-installation.ts'
import type { ImportReport } from '../../../src/import/filebrowser/import-report.ts'
import { planImport } from '../../../src/import/filebrowser/plan-import.ts'
import { importInput, oldFile, type OldDatabase } from '../samples/old-installation.ts'

/** The content of the fixture's database. */
export function oldFixture(): ReturnType<typeof fromDatabase> {
  return fromDatabase(readFileSync(oldFile('filebrowser.db')))
}

/** The plan for an installation like the fixture, with these changes. */
export function planOf(old?: OldDatabase): ReturnType<typeof planImport> {
  return planImport(importInput(old))
}

/** An installation with one user. */
export function oneUser(fields: object): Pick<OldDatabase, 'users'> {
  return { users: [{ id: 4, username: 'bob', ...fields }] }
}

/** The notes about a subject, of any kind. */
export function notesOn(report: ImportReport, subject: string): string[] {
  return Object.entries(report).flatMap(([kind, list]: [string, ImportReport['carried']]) =>
    list.filter((note) => note.subject === subject).map(({ note }) => `${kind}: ${note}`),
  )
}
