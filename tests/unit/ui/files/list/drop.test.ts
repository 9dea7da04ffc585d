import { describe, expect, it } from 'vitest'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { dropVerdict } from '../../../../../ui/src/files/list/drag/drop-target.ts'

const at = parseVirtualPath
const item = (path: string, isDir = false) => ({ path: at(path), isDir })

describe('a drag over a folder', () => {
  it('is accepted for a move or a copy', () => {
    expect(dropVerdict('move', [item('/a/x.txt')], at('/b'))).toBe('accepted')
    expect(dropVerdict('copy', [item('/a/x.txt')], at('/a'))).toBe('accepted')
  })

  it('is not moved to the folder it is in', () => {
    expect(dropVerdict('move', [item('/a/x.txt'), item('/a/y.txt')], at('/a'))).toBe('pointless')
    expect(dropVerdict('move', [item('/a/x.txt'), item('/b/y.txt')], at('/a'))).toBe('accepted')
  })

  it('never goes into itself, however deep', () => {
    expect(dropVerdict('move', [item('/a', true)], at('/a'))).toBe('intoItself')
    expect(dropVerdict('copy', [item('/x'), item('/a', true)], at('/a/b/c'))).toBe('intoItself')
    expect(dropVerdict('move', [item('/a', true)], at('/ab'))).toBe('accepted')
  })
})
