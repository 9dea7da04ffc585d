import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { combined, fromDatabase, fromExport } from '../../../../src/import/filebrowser/read-installation.ts'
import { planImport } from '../../../../src/import/filebrowser/plan-import.ts'
import { boltFile } from '../../../helpers/samples/bolt-file.ts'
import { importInput, type OldDatabase, oldFile } from '../../../helpers/samples/old-installation.ts'

const fixture = () => fromDatabase(readFileSync(oldFile('filebrowser.db')))
const plan = (old?: OldDatabase) => planImport(importInput(old))
const bob = (fields: object) => ({ users: [{ id: 4, username: 'bob', ...fields }] })

describe('an import refuses', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a database of another program',
      () => fromDatabase(boltFile({ buckets: { x: {} } })),
      'no settings of File Browser 2',
    ],
    [
      'a database of File Browser 1',
      () => fromDatabase(boltFile({ buckets: { config: { values: { version: '1' } } } })),
      'with release 2 first',
    ],
    [
      'records that are not stored as JSON',
      () =>
        fromDatabase(
          boltFile({ buckets: { config: { buckets: { __storm_metadata: { values: { codec: 'gob' } } } } } }),
        ),
      'stored as "gob", not as JSON',
    ],
    [
      'a record that is damaged, without quoting it',
      () => fromDatabase(boltFile({ buckets: { config: { values: { settings: '{"key":"secret' } } } })),
      'a record in config is not JSON',
    ],
    ['JSON of another program', () => fromExport({ name: 'package' }), 'neither a database of File Browser nor'],
    ['an empty list', () => fromExport([]), 'neither a database of File Browser nor'],
    ['a list of other things', () => fromExport([{ id: 1 }]), 'entry 1 of the list is not a user'],
    ['records nested without an end', () => fromExport(nested(200)), 'nested too deeply'],
    ['two files of settings', () => combined([fixture(), fixture()]), 'two of the files contain settings'],
    [
      'two users with one name',
      () => plan({ users: [1, 2].map((id) => ({ id, username: 'x' })) }),
      'have the same id or the same name',
    ],
    ['an invalid id', () => plan({ users: [{ id: 0, username: 'x' }] }), 'id must be 1 or more'],
    ['a field of another kind', () => plan(bob({ scope: 7 })), 'user bob: scope must be a text'],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message)
  })
})

function nested(depth: number): unknown {
  return depth === 0 ? {} : { settings: nested(depth - 1), server: {} }
}
