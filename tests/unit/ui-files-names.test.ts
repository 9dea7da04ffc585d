import { describe, expect, it } from 'vitest'
import { kindOf } from '../../ui/src/features/files/model/file-kind.ts'
import { splitName } from '../../ui/src/features/files/model/split-name.ts'

describe('cutting a long name', () => {
  it('keeps the last letters with the extension', () => {
    expect(splitName('Budget 2025 – forecast v7.csv')).toEqual({ head: 'Budget 2025 – forecas', tail: 't v7.csv' })
  })

  it('keeps both parts of .tar.zst', () => {
    expect(splitName('raw-footage-backup.tar.zst').tail).toBe('ckup.tar.zst')
  })

  it('leaves short names whole', () => {
    expect(splitName('latest-cut')).toEqual({ head: 'latest-cut', tail: '' })
  })

  it('never cuts inside an emoji or a letter with an accent', () => {
    const name = 'holiday pictures 👩‍👩‍👧e\u0301ab.jpg'
    const { head, tail } = splitName(name)
    expect(head + tail).toBe(name)
    expect(tail).toBe('👩‍👩‍👧e\u0301ab.jpg')
  })

  it('takes a dotfile for a name without an extension', () => {
    expect(splitName('.director-notes').tail).toBe('otes')
  })
})

describe('the glyph of an entry', () => {
  it('follows the type of the server', () => {
    expect(kindOf({ name: 'a.zip', isDir: true, type: '' })).toBe('folder')
    expect(kindOf({ name: 'a', isDir: false, type: 'invalid_link' })).toBe('broken')
    expect(kindOf({ name: 'a.bin', isDir: false, type: 'image' })).toBe('image')
  })

  it('looks at the extension of texts and blobs', () => {
    expect(kindOf({ name: 'A.TAR.GZ', isDir: false, type: 'blob' })).toBe('archive')
    expect(kindOf({ name: 'data.csv', isDir: false, type: 'text' })).toBe('table')
    expect(kindOf({ name: 'main.ts', isDir: false, type: 'text' })).toBe('code')
    expect(kindOf({ name: 'Makefile', isDir: false, type: 'text' })).toBe('code')
    expect(kindOf({ name: 'notes', isDir: false, type: 'text' })).toBe('text')
    expect(kindOf({ name: 'camera.bin', isDir: false, type: 'blob' })).toBe('other')
  })
})
