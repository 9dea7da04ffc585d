import { describe, expect, it } from 'vitest'
import { parseVirtualPath, ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import { checkNewName, newEntryPath } from '../../../../../ui/src/files/actions/new-name.ts'

describe('a new name', () => {
  it('can be anything that a disk can store', () => {
    expect(['a', '.hidden', '...', 'ä b', '名前', 'a'.repeat(255)].map(checkNewName)).toEqual(Array(6).fill(null))
  })

  it('is refused with a reason', () => {
    expect(checkNewName('a/b')).toBe('files.nameWithSlash')
    expect(checkNewName('..')).toBe('files.nameIsDots')
    expect(checkNewName('a\u0007')).toBe('files.nameWithControls')
    expect(checkNewName('ä'.repeat(128))).toBe('files.nameTooLong')
  })

  it('becomes a path that ends with a slash for folders', () => {
    expect(newEntryPath(ROOT, 'a', 'folder')).toBe('/a/')
    expect(newEntryPath(parseVirtualPath('/x y'), 'a', 'file')).toBe('/x y/a')
  })
})
