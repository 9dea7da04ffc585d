import { describe, expect, it } from 'vitest'
import { parseVirtualPath, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import {
  pathsTo,
  treeRows,
  treeStep,
  withFound,
  type TreeKey,
  type TreeState,
} from '../../../../../ui/src/files/actions/prompts/folders/folder-tree.ts'

const path = parseVirtualPath
const KNOWN = new Map<VirtualPath, readonly VirtualPath[]>([
  [ROOT, [path('/a'), path('/b')]],
  [path('/a'), [path('/a/one'), path('/a/two')]],
  [path('/b'), []],
])
const state = (focus: string, ...expanded: string[]): TreeState => ({
  focus: path(focus),
  expanded: new Set(expanded.map(path)),
})
const rowsOf = (tree: TreeState, filter?: string) => treeRows(KNOWN, tree, filter)
const walk = (tree: TreeState, ...keys: TreeKey[]): TreeState =>
  keys.reduce((now, key) => treeStep(now, key, rowsOf(now)), tree)

describe('the tree of folders', () => {
  it('shows expanded folders, with the attributes for screen readers', () => {
    expect(rowsOf(state('/', '/', '/a'))).toEqual([
      { path: '/', level: 1, expanded: true, position: 1, siblings: 1 },
      { path: '/a', level: 2, expanded: true, position: 1, siblings: 2 },
      { path: '/a/one', level: 3, expanded: false, position: 1, siblings: 2 },
      { path: '/a/two', level: 3, expanded: false, position: 2, siblings: 2 },
      { path: '/b', level: 2, expanded: undefined, position: 2, siblings: 2 },
    ])
  })

  it('shows matches of the filter and their parents', () => {
    expect(rowsOf(state('/'), 'TWO').map((row) => row.path)).toEqual(['/', '/a', '/a/two'])
    expect(rowsOf(state('/'), 'nothing').map((row) => row.path)).toEqual(['/'])
  })

  it('finds folders by their letters, with whatever accents and in any Unicode form', () => {
    const known = new Map([
      [ROOT, ['Übersicht'.normalize('NFD'), 'İstanbul', '테스트'.normalize('NFD')].map((name) => path(`/${name}`))],
    ])
    const found = (filter: string) => treeRows(known, state('/'), filter).length - 1
    expect(['übersicht', 'UBER', 'istanbul', '테스트', 'x'].map(found)).toEqual([1, 1, 1, 1, 0])
  })

  it('inserts folders found elsewhere once, and keeps those it knew', () => {
    const found = [path('/b/deep/down'), path('/a/one'), path('/c')]
    const known = withFound(KNOWN, found)
    expect(treeRows(known, state('/'), 'down').map((row) => row.path)).toEqual(['/', '/b', '/b/deep', '/b/deep/down'])
    expect(known.get(ROOT)).toEqual(['/a', '/b', '/c'])
    expect(known.get(path('/a'))).toEqual(['/a/one', '/a/two'])
    expect(KNOWN.get(path('/b'))).toEqual([])
  })

  it('expands, enters, leaves and collapses with the arrow keys', () => {
    const start = state('/', '/')
    expect(walk(start, 'down').focus).toBe('/a')
    expect([...walk(start, 'down', 'open').expanded]).toEqual(['/', '/a'])
    expect(walk(start, 'down', 'open', 'open').focus).toBe('/a/one')
    expect(walk(start, 'down', 'open', 'open', 'close').focus).toBe('/a')
    expect([...walk(start, 'down', 'open', 'close').expanded]).toEqual(['/'])
  })

  it('stops at both ends', () => {
    const start = state('/', '/')
    expect(walk(start, 'up').focus).toBe('/')
    expect(walk(start, 'end', 'down').focus).toBe('/b')
    expect(walk(start, 'end', 'open').focus).toBe('/b')
    expect(walk(start, 'end', 'home', 'close', 'close').focus).toBe('/')
  })

  it('expands all parents of a folder', () => {
    expect(pathsTo(path('/a/one'))).toEqual(['/', '/a', '/a/one'])
    expect(pathsTo(ROOT)).toEqual(['/'])
  })
})
