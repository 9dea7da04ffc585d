import { describe, expect, it } from 'vitest'
import { parseVirtualPath, ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import type { Choice } from '../../../../../ui/src/files/actions/prompts/conflict-prompt.tsx'
import {
  planTransfers,
  transferable,
  transferConflicts,
} from '../../../../../ui/src/files/actions/transfers/plan-transfers.ts'
import { stemLength } from '../../../../../src/domain/files/name-text.ts'
import { createUndoStack } from '../../../../../ui/src/files/actions/undo/undo-stack.ts'
import type { FileItem, TransferKind } from '../../../../../ui/src/files/actions/model.ts'

const item = (path: string, isDir = false): FileItem => ({
  path: parseVirtualPath(path),
  isDir,
  size: 1,
  modified: '2026-01-01T00:00:00Z',
  type: isDir ? '' : 'text',
})
const version = (isDir = false) => ({ isDir, size: 2, modified: '2026-01-02T00:00:00Z' })
const plan = (items: readonly FileItem[], there: Record<string, boolean>, choice: Choice = 'keepBoth') => {
  const existing = new Map(Object.entries(there).map(([name, isDir]) => [name, version(isDir)]))
  const question = { kind: 'copy' as TransferKind, items, folder: parseVirtualPath('/to'), existing }
  return planTransfers(question, () => choice).map(({ to, override }) => [to, override])
}

describe('what can be copied or moved into a folder', () => {
  it('excludes folders that would go into themselves', () => {
    const items = [item('/a', true), item('/ab.txt')]
    expect(transferable('copy', items, parseVirtualPath('/a/deep')).map(({ path }) => path)).toEqual(['/ab.txt'])
    expect(transferable('move', items, parseVirtualPath('/a')).map(({ path }) => path)).toEqual(['/ab.txt'])
  })

  it('excludes what is already there from a move, but copies it', () => {
    expect(transferable('move', [item('/a.txt')], ROOT)).toEqual([])
    expect(transferable('copy', [item('/a.txt')], ROOT)).toHaveLength(1)
  })
})

describe('the plan of a transfer', () => {
  it('keeps available names', () => {
    expect(plan([item('/a.txt'), item('/b', true)], {})).toEqual([
      ['/to/a.txt', false],
      ['/to/b', false],
    ])
  })

  it('finds the next available name when both are kept', () => {
    expect(plan([item('/a.txt')], { 'a.txt': false, 'a(1).txt': false })).toEqual([['/to/a(2).txt', false]])
  })

  it('replaces only when told', () => {
    expect(plan([item('/a.txt')], { 'a.txt': false }, 'replace')).toEqual([['/to/a.txt', true]])
    expect(plan([item('/a.txt'), item('/b.txt')], { 'a.txt': false }, 'skip')).toEqual([['/to/b.txt', false]])
  })

  it('copies next to the original without asking', () => {
    expect(plan([item('/to/a.txt')], { 'a.txt': false }, 'replace')).toEqual([['/to/a(1).txt', false]])
  })

  it('gives two entries of one name different names', () => {
    expect(plan([item('/x/a.txt'), item('/y/a.txt')], {})).toEqual([
      ['/to/a.txt', false],
      ['/to/a(1).txt', false],
    ])
  })

  it('knows that a file cannot replace a folder', () => {
    const existing = new Map([['a', version(true)]])
    const question = { kind: 'copy' as const, items: [item('/a')], folder: parseVirtualPath('/to'), existing }
    expect(transferConflicts(question)).toMatchObject([{ key: '/a', name: 'a', replaceable: false }])
  })
})

describe('the stem of a name', () => {
  it.each([
    ['report.txt', 6],
    ['site.tar.gz', 4],
    ['.profile', 8],
    ['README', 6],
    ['v1.2 final draft of it', 22],
  ])('of %s has %i characters', (name, letters) => {
    expect(stemLength(name, false)).toBe(letters)
  })

  it('is the whole name of a folder', () => {
    expect(stemLength('v1.2', true)).toBe(4)
  })
})

describe('the undo history', () => {
  const made = (name: string) => ({ kind: 'made', paths: [parseVirtualPath(name)] }) as const

  it('returns the latest change first', () => {
    const stack = createUndoStack()
    const [first, second] = [made('/a'), made('/b')]
    stack.push(first)
    stack.push(second)
    expect([stack.pop(), stack.pop(), stack.pop()]).toEqual([second, first, undefined])
  })

  it('reverts each change once, however it is started', () => {
    const stack = createUndoStack()
    const change = made('/a')
    stack.push(change)
    expect([stack.remove(change), stack.remove(change), stack.pop()]).toEqual([true, false, undefined])
  })

  it('is limited', () => {
    const stack = createUndoStack()
    for (let number = 0; number < 60; number += 1) stack.push(made(`/${number}`))
    let kept = 0
    while (stack.pop() !== undefined) kept += 1
    expect(kept).toBe(50)
  })
})
