import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../../../ui/src/files/list/grid/entry-cell.ts'

describe('the icon of an entry', () => {
  it('follows the type from the server', () => {
    expect(kindOf({ name: 'a.zip', isDir: true, type: '' })).toBe('folder')
    expect(kindOf({ name: 'a', isDir: false, type: 'invalid_link' })).toBe('broken')
    expect(kindOf({ name: 'a.bin', isDir: false, type: 'image' })).toBe('image')
  })

  it('uses the extension of texts and blobs', () => {
    expect(kindOf({ name: 'A.TAR.GZ', isDir: false, type: 'blob' })).toBe('archive')
    expect(kindOf({ name: 'data.csv', isDir: false, type: 'text' })).toBe('table')
    expect(kindOf({ name: 'main.ts', isDir: false, type: 'text' })).toBe('code')
    expect(kindOf({ name: 'Makefile', isDir: false, type: 'text' })).toBe('code')
    expect(kindOf({ name: 'notes', isDir: false, type: 'text' })).toBe('text')
    expect(kindOf({ name: 'camera.bin', isDir: false, type: 'blob' })).toBe('other')
  })
})
