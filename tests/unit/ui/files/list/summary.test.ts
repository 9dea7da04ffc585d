import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import { summarise, summariseSelection } from '../../../../../ui/src/files/list/toolbar/folder-bars.tsx'
import { EVERYTHING, selectOnly, toggle } from '../../../../../ui/src/files/list/model/selection.ts'

const entry = (name: string, size: number, isDir = false) => ({ name, size, isDir }) as Resource
const ENTRIES = [entry('d', 4096, true), entry('a', 10), entry('b', 5)]
const ALL = summarise(ENTRIES)
const entryOf = (name: string) => ENTRIES.find((each) => each.name === name)

describe('the summary of a folder and a selection', () => {
  it('counts folders, files and the bytes of files', () => {
    expect(ALL).toEqual({ folders: 1, files: 2, bytes: 15 })
  })

  it('adds up what is selected', () => {
    expect(summariseSelection(selectOnly(['d', 'b']), ALL, entryOf)).toEqual({ folders: 1, files: 1, bytes: 5 })
  })

  it('subtracts exceptions from a selection of everything', () => {
    expect(summariseSelection(toggle(EVERYTHING, 'a'), ALL, entryOf)).toEqual({ folders: 1, files: 1, bytes: 5 })
    expect(summariseSelection(EVERYTHING, ALL, () => undefined)).toEqual(ALL)
  })
})
