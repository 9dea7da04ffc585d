import { expect, it } from 'vitest'
import { StagedNames } from '../../../src/storage/reserved-names.ts'

it.each<[string, (names: StagedNames) => void]>([
  ['a name is in use', (names) => void names.begin()],
  ['a file is left behind', (names) => names.leaveBehind(names.next())],
  ['a file may still be written', (names) => names.expectLateWrites(names.next())],
  ['a sweep is due', (names) => (names.isSweepDue = true)],
])('a run is not clean while %s', (_, act) => {
  const names = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
  names.end(names.begin())
  expect(names.isClean).toBe(true)
  act(names)
  expect(names.isClean).toBe(false)
})
